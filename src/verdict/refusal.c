/* SPDX-License-Identifier: MIT
 *
 * Rule 7: does a text begin as a refusal?
 *
 *   [apologies] [but] I|we  cannot|...  help|...
 *   [抱歉|对不起] 我无法|我不能 协助|...
 *
 * Only the beginning counts, and only the verbs of the table: "I cannot decide" is a
 * judge that does not choose, "Assistant A says: I can't help" is a quotation. Whether
 * the reply holds a verdict all the same is settled before (verdict.c asks last).
 *
 * A Chinese apology may be missing, as an English one may.
 *
 * Left out: refusals in the middle of a text, and other languages.
 */
#include "verdict/match.h"
#include "verdict/read.h"

static const char *const apologies[] = {"i'm sorry",
                                        "i am sorry",
                                        "sorry",
                                        "i apologize",
                                        "i apologise",
                                        "as an ai language model",
                                        "as an ai model",
                                        "as an ai assistant",
                                        "as an ai",
                                        "unfortunately",
                                        NULL};

static const char *const subjects[] = {"i", "we", NULL};

/* With the contractions that take the subject in. */
static const char *const contractions[] = {"i'm", "we're", NULL};
static const char *const unable[] = {"unable to", "not able to", NULL};

static const char *const modals[] = {"can't",
                                     "cannot",
                                     "can not",
                                     "won't",
                                     "will not",
                                     "am unable to",
                                     "am not able to",
                                     "are unable to",
                                     "are not able to",
                                     "must decline to",
                                     "have to decline to",
                                     "decline to",
                                     "refuse to",
                                     NULL};

static const char *const verbs[] = {
    "help",   "assist",  "provide",  "comply",      "fulfil",   "fulfill",
    "answer", "respond", "engage",   "participate", "evaluate", "compare",
    "judge",  "rate",    "review",   "discuss",     "continue", "take part",
    "do",     "process", "complete", "support",     NULL};

static const char *const apologies_zh[] = {"抱歉", "对不起", NULL};
static const char *const but_zh[] = {"但是", "但", NULL};
static const char *const modals_zh[] = {"我无法", "我不能", NULL};
static const char *const verbs_zh[] = {"协助", "提供", "评价", "评估",
                                       "比较", "回答", NULL};

/* White space, line ends and the punctuation that may stand between the parts. */
static size_t skip_joints(eh_str s, size_t i) {
    for (;;) {
        if (i < s.len && s.ptr[i] && strchr(" \t\n,.!:;-", s.ptr[i]))
            i++;
        else if (!match_bytes(s, &i, "，") && !match_bytes(s, &i, "。") &&
                 !match_bytes(s, &i, "、"))
            return i;
    }
}

static bool is_chinese_refusal(eh_str s) {
    size_t i = skip_joints(s, 0);
    if (match_any(s, &i, apologies_zh) >= 0) {
        i = skip_joints(s, i);
        (void)match_any(s, &i, but_zh);
    }
    return match_any(s, &i, modals_zh) >= 0 && match_any(s, &i, verbs_zh) >= 0;
}

bool verdict_is_refusal(eh_str folded) {
    if (is_chinese_refusal(folded)) return true;
    size_t i = skip_joints(folded, 0);
    while (match_any(folded, &i, apologies) >= 0)
        i = skip_joints(folded, i);
    if (match_words(folded, &i, "but")) i = skip_joints(folded, i);
    bool is_able = match_any(folded, &i, contractions) >= 0
                       ? match_any(folded, &i, unable) >= 0
                       : match_any(folded, &i, subjects) >= 0 &&
                             match_any(folded, &i, modals) >= 0;
    return is_able && match_any(folded, &i, verbs) >= 0;
}
