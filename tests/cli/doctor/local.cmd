# a judge without an endpoint
"$EVENHAND" doctor -j sim
