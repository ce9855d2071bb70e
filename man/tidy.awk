# SPDX-License-Identifier: MIT
#
# Takes the paragraph breaks out of scdoc's roff that mean nothing there and that
# `mandoc -T lint` warns of: after and before a heading, and twice in a row. One that
# ends an indented part goes behind it. The page looks the same.
/^\.P$/ { pending = 1; next }
/^\.RE$/ { print; next }
/^\.(TH|SH|SS) / { print; pending = 0; after_heading = 1; next }
{
    if (pending && !after_heading) print ".P"
    pending = after_heading = 0
    print
}
