/* SPDX-License-Identifier: MIT
 *
 * The form `compare`, rules 8 to 15: tokens, aliases, statements with cue, link and
 * value, their ranks, and what counts where there is no statement.
 *
 * Many replies begin with a token that a careless reader would take; a case then says
 * whether the line behind it is a statement that outweighs it.
 */
#include "verdict_expect.h"

static void tokens(void **state) {
    (void)state;
    static const verdict_expect cases[] = {
        {"[[A]]", "1"},
        {"[[ a ]]", "1"},
        {"[[A>B]]", "1"},
        {"[[A>>B]]", "1"},
        {"[[B<A]]", "1"},
        {"[[B<<A]]", "1"},
        {"[[A > > B]]", "1"},
        {"[[B]]", "2"},
        {"[[B>A]]", "2"},
        {"[[B>>A]]", "2"},
        {"[[A<B]]", "2"},
        {"[[A<<B]]", "2"},
        {"[[A\\>B]]", "1"},
        {"[[C]]", "tie"},
        {"[[Tie]]", "tie"},
        {"[[A=B]]", "tie"},
        {"[[B=A]]", "tie"},
        {"[[Assistant A]]", "1"},
        {"[[The second answer]]", "2"},
        {"[[Neither]]", "ambiguous"},
        {"［［Ｂ］］", "2"},
        {"[[[A]]]", "1"},
        {"[[AB]]", "no_verdict"},
        {"[[1]]", "no_verdict"},
        {"[[D]]", "no_verdict"},
        {"[[]]", "no_verdict"},
        {"[[A\n]]", "no_verdict"},
        {"[ [A] ] is no token", "no_verdict"},
        {"[[A>>>B]]", "no_verdict"},
    };
    VERDICT_CHECK(COMPARE, cases);
}

static void aliases(void **state) {
    (void)state;
    static const verdict_expect cases[] = {
        {"A", "1"},
        {"b.", "2"},
        {"**B**", "2"},
        {"\"B\"", "2"},
        {"(B)", "2"},
        {"[B]", "2"},
        {"[B].", "2"},
        {"$\\boxed{B}$", "2"},
        {"\\boxed{\\text{B}}", "2"},
        {"\\text{Assistant B}", "2"},
        {"“B.”", "2"},
        {"C", "tie"},
        {"Assistant A", "1"},
        {"the assistant 2", "2"},
        {"Answer 1", "1"},
        {"Response B", "2"},
        {"Output (b)", "2"},
        {"Model a", "1"},
        {"The first", "1"},
        {"second one", "2"},
        {"the second response", "2"},
        {"Assistant A wins.", "1"},
        {"B is better", "2"},
        {"The first answer is slightly better.", "1"},
        {"Response 2 is significantly better", "2"},
        {"B is much better", "2"},
        {"Output (a) is clearly better", "1"},
        {"The second one is far better", "2"},
        {"A is somewhat better", "1"},
        {"A is marginally better", "1"},
        {"Assistant B is the winner", "2"},
        {"Tie", "tie"},
        {"a tie", "tie"},
        {"It is a tie.", "tie"},
        {"It is a draw", "tie"},
        {"Draw.", "tie"},
        {"Equal", "tie"},
        {"equally good", "tie"},
        {"Both are equal", "tie"},
        {"Both answers are equally good.", "tie"},
        {"Both responses are equal", "tie"},
        {"Both assistants are equally good", "tie"},
        {"They are equal.", "tie"},
        {"Relatively the same", "tie"},
        {"Tie, relatively the same", "tie"},
        {"第一个", "1"},
        {"第二个回答", "2"},
        {"第二个助手。", "2"},
        {"回答A", "1"},
        {"助手 2", "2"},
        {"平局", "tie"},
        {"平手。", "tie"},
        {"Neither", "ambiguous"},
        {"Both", "ambiguous"},
        {"Either.", "ambiguous"},
        {"Neither is better", "ambiguous"},
        {"Both are good.", "ambiguous"},
        {"Both are bad", "ambiguous"},
        {"1", "no_verdict"},
        {"2.", "no_verdict"},
        {"Assistant C", "no_verdict"},
        {"Assistant", "no_verdict"},
        {"Assistant 12", "no_verdict"},
        {"AB", "no_verdict"},
        {"The a", "no_verdict"},
        {"A is good", "no_verdict"},
        {"not B", "no_verdict"},
        {"A or B", "no_verdict"},
        {"Firstly", "no_verdict"},
        {"B\nB", "no_verdict"},
    };
    VERDICT_CHECK(COMPARE, cases);
}

static void lone_tokens(void **state) {
    (void)state;
    static const verdict_expect cases[] = {
        {"Not [[A]] but the other.\n[[B]]", "2"},
        {"Not [[A]] but the other.\n[B]", "2"},
        {"Not [[A]] but the other.\n\\boxed{B}.", "2"},
        {"Not [[A]] but the other.\n- [[B]]!", "2"},
        {"Not [[A]] but the other.\n### 1. [[B]]", "2"},
        {"Not [[A]] but the other.\n| [[B]] |", "2"},
        {"Not [[A]] but the other.\n✅ **[[B]]**", "2"},
        {"Not [[A]] but the other.\n1️⃣ [[B]]", "2"},
        {"I thought of [[A]]. [[B]]", "2"},
        {"I thought of [[A]]; [[B]].", "2"},
        {"先想到 [[A]]。[[B]]", "2"},
        {"先想到 [[A]]！[[B]]。", "2"},
        {"[[A]] at first.\n[[B]]", "2"},
        {"[[A]]\n[[B]]", "ambiguous"},
        {"[tie]\n[B]", "ambiguous"},
        {"[[B]]\n[[B]]", "2"},
        {"So [[A]].\n[[B]] is worse", "ambiguous"},
        {"Is it [[A]]? [[B]]?", "ambiguous"},
        /* neither alone nor last in its line */
        {"[B] is worse.\nSo [[A]]", "1"},
        {"[B]\n", "2"},
        {"[1]\nSo [[A]]", "1"},
        /* an unknown token ends the search */
        {"Draft [[A]].\n[[AB]]", "no_verdict"},
        {"[[AB]]\n[[B]]", "ambiguous"},
    };
    VERDICT_CHECK(COMPARE, cases);
}

static void openings_and_cues(void **state) {
    (void)state;
    static const verdict_expect cases[] = {
        {"[[A]]?\nVerdict: B", "2"},
        {"[[A]]?\nMy verdict: B", "2"},
        {"[[A]]?\nThe winner is B", "2"},
        {"[[A]]?\nOur judgment: B", "2"},
        {"[[A]]?\nJudgement: B", "2"},
        {"[[A]]?\nDecision: B", "2"},
        {"[[A]]?\nResult: B", "2"},
        {"[[A]]?\nThe overall conclusion is that B is better.", "2"},
        {"[[A]]?\nSo, thus, hence, therefore my verdict is B", "2"},
        {"[[A]]?\nOverall, and finally, the verdict is B", "2"},
        {"[[A]]?\nIn conclusion, the winner is Assistant B.", "2"},
        {"[[A]]?\nTo conclude: x. In summary, the winner is Assistant B.", "2"},
        {"[[A]]?\nHere is my verdict: B", "2"},
        {"[[A]]?\nBased on 1,200 words of text, the verdict is B", "2"},
        {"[[A]]?\nGiven all this, my final decision: B", "2"},
        {"[[A]]?\nTaking \"style, tone\" as well, so the verdict is B", "2"},
        {"[[A]]?\nAfter a second look, verdict: B", "2"},
        {"[[A]]?\nIn light of that, verdict: B", "2"},
        {"[[A]]?\nAs asked, verdict: B", "2"},
        {"[[A]]?\n最终判决：B", "2"},
        {"[[A]]?\n结论是第二个。", "2"},
        {"[[A]]?\n裁决为平局", "tie"},
        {"[[A]]?\n最终结果：回答2", "2"},
        {"[[A]]?\n## 3. **Final Verdict** - B", "2"},
        {"[[A]]?\n| Final verdict | B |", "2"},
        {"[[A]]?\n(2) Verdict: B", "2"},
        {"[[A]]?\n2.1 Verdict: B", "2"},
        {"[[A]]?\n🏆 Winner: Assistant B", "2"},
        {"[[A]]?\nThat is weak. Final verdict: B", "2"},
        {"[[A]]? 不好；结论：B", "2"},
        /* no cue */
        {"[[A]]?\nDraft verdict: B", "1"},
        {"[[A]]?\nInitial verdict: B", "1"},
        {"[[A]]?\nMy first verdict: B", "1"},
        {"[[A]]?\nIf so, the verdict is B", "1"},
        {"[[A]]?\nThe verdict's basis: B", "1"},
        {"[[A]]?\nVerdicts: B", "1"},
        {"[[A]]?\nFinally: B", "1"},
        {"[[A]]?\nGiven this the verdict is B", "1"},
        {"[[A]]?\nGiven this. Well, the verdict is C is it", "1"},
        {"[[A]]?\nHis (final verdict: B) was odd", "1"},
        {"[[A]]?\n我的判断：B", "1"},
        {"[[A]]?\nHe said \"ok. Verdict: B\" to me", "1"},
        {"[[A]]?\n\"Verdict: B\" is what it says", "1"},
        {"[[A]]?\nThe text says so.Verdict: B", "1"},
    };
    VERDICT_CHECK(COMPARE, cases);
}

static void links(void **state) {
    (void)state;
    static const verdict_expect cases[] = {
        {"[[A]]?\nVerdict is B", "2"},
        {"[[A]]?\nVerdict is that B is better", "2"},
        {"[[A]]?\nVerdict will be B", "2"},
        {"[[A]]?\nVerdict would be B", "2"},
        {"[[A]]?\nVerdict goes to B", "2"},
        {"[[A]]?\nVerdict is: B", "2"},
        {"[[A]]?\nVerdict = B", "2"},
        {"[[A]]?\nVerdict | B", "2"},
        {"[[A]]?\nVerdict — B", "2"},
        {"[[A]]?\nVerdict -> B", "2"},
        {"[[A]]?\nVerdict (of two): B", "2"},
        {"[[A]]?\nVerdict (of two) [[B]]", "2"},
        {"[[A]]?\nVerdict [[B]]", "2"},
        {"[[A]]?\nVerdict\xEF\xBC\x9A [[B]]", "2"},
        /* an alias needs a link */
        {"[[A]]?\nVerdict B", "1"},
        {"[[A]]?\nVerdict (short) B", "1"},
        {"[[A]]?\nVerdict was B", "1"},
        /* words need one too */
        {"The verdict came after [[B]] and I say so.\nSo [[B]]", "2"},
        {"Decision points [[A]].\nVerdict: [[B]]", "2"},
    };
    VERDICT_CHECK(COMPARE, cases);
}

static void values(void **state) {
    (void)state;
    static const verdict_expect cases[] = {
        {"Verdict: \"[[B]]\"", "2"},
        {"Verdict: \"B\"", "2"},
        {"Verdict: “Assistant B is better: [[B]]”.", "2"},
        {"Verdict: \"[[A]] or [[B]]\"", "ambiguous"},
        {"Verdict: \"so it is [[A]]. [[B]] lost\"", "1"},
        {"Verdict: after \"[[A]] please\", [[B]]", "2"},
        {"## Verdict\n\n[[B]]", "2"},
        {"## Verdict ##\n\nB", "2"},
        {"Final verdict:\n- **B**", "2"},
        {"Final verdict\n---\n\nB is better.", "2"},
        {"| Verdict |\n|---|\n| B |", "2"},
        {"Final verdict\n\nWe looked at it.\n[[B]]", "2"},
        {"Final verdict:", "no_verdict"},
        {"Verdict: better is, by far, the second: [[B]]", "2"},
        {"Verdict: it is clear. I choose [[B]]", "2"},
        {"Verdict: [[B]]. [[A]] lost", "2"},
        {"Verdict: [[B]], not [[A]]", "ambiguous"},
        {"Verdict: [[B]] over [[A]].", "ambiguous"},
        {"Verdict: [[B]], [[B>A]]", "2"},
        {"Verdict: Assistant A is better: [[B]]", "ambiguous"},
        {"Verdict: A ([[B]])", "ambiguous"},
        {"Verdict: Assistant A. [[B]]", "ambiguous"},
        {"Verdict: Assistant A. I do not choose [[B]]", "ambiguous"},
        {"Verdict: B, [[B]]", "2"},
        {"Verdict: tie - [[C]]", "tie"},
        {"Verdict: neither, [[A]]", "ambiguous"},
        {"Verdict: both are good: [[C]]", "tie"},
        {"Verdict: [[AB]]", "no_verdict"},
        {"Verdict: [[AB]] or [[A]]", "no_verdict"},
        {"Draft: [[A]].\nVerdict: [[X]]", "no_verdict"},
        {"Verdict: [[X]]\nFinal verdict: [[A]]", "1"},
        {"Verdict: B. Because it is shorter.", "2"},
        {"Verdict: B! It is shorter.", "2"},
        {"Verdict: B; it is shorter", "2"},
        {"Verdict: B: it is shorter", "2"},
        {"Verdict: B (shorter)", "2"},
        {"Verdict: B - shorter", "2"},
        {"判断：第二个。它更短", "2"},
        /* prose */
        {"Verdict: B, because it is shorter", "no_verdict"},
        {"Verdict: B because it is shorter", "no_verdict"},
        {"Verdict: B-rated", "no_verdict"},
        {"Verdict: B.2", "no_verdict"},
        {"Verdict: C#", "no_verdict"},
        {"Verdict: not B", "no_verdict"},
        {"Verdict: A or B", "no_verdict"},
        {"Verdict: a clear case for B", "no_verdict"},
        {"Verdict: 1", "no_verdict"},
        /* final answer */
        {"Final answer: B", "no_verdict"},
        {"Final answer: [[B]]", "2"},
        {"**Final Answer**\n\n[[B]]", "2"},
        {"Final answer: B. My verdict: [[A]]", "1"},
        {"Final answer: B [[A]]", "ambiguous"},
        {"Answer: [[B]] or so it seems [[A]]", "ambiguous"},
        {"B solves it.\n\nB", "no_verdict"},
    };
    VERDICT_CHECK(COMPARE, cases);
}

static void ranks(void **state) {
    (void)state;
    static const verdict_expect cases[] = {
        {"Verdict: A\nFinal verdict: B", "2"},
        {"Final verdict: B\nVerdict: A", "2"},
        {"[[A]]\nOverall verdict: B", "2"},
        {"Verdict: A\nOverall, the verdict is B", "2"},
        {"判决：A\n最终判决：B", "2"},
        {"Final verdict: A\nOverall winner: B", "ambiguous"},
        {"Final verdict: A\nFinal verdict: A", "1"},
        {"Verdict: A\nVerdict: B", "ambiguous"},
        {"Verdict: A\n[[B]]", "ambiguous"},
        {"Verdict: A\nWinner: [[A>B]]", "1"},
        {"Verdict: both\nFinal verdict: A", "1"},
        {"Final verdict: either\n[[A]]", "ambiguous"},
        {"Final verdict: [[X]]\n[[A]]", "no_verdict"},
        {"Final verdict: [[X]]\nFinal verdict: [[A]]", "ambiguous"},
        {"Final verdict: well, see below\n[[A]]", "1"},
    };
    VERDICT_CHECK(COMPARE, cases);
}

static void without_statements(void **state) {
    (void)state;
    static const verdict_expect cases[] = {
        {"I go for [[B]] here", "2"},
        {"I go for [[B]], yes [[B>A]] here", "2"},
        {"[[B]] is better than [[A]]", "ambiguous"},
        {"As [[1]] says, [[B]] it is", "2"},
        {"I go for [[both]] here", "ambiguous"},
        {"B is the better answer", "no_verdict"},
        {"I go for [B] here", "no_verdict"},
        {"I go for [[B] here", "no_verdict"},
    };
    VERDICT_CHECK(COMPARE, cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens),      cmocka_unit_test(aliases),
        cmocka_unit_test(lone_tokens), cmocka_unit_test(openings_and_cues),
        cmocka_unit_test(links),       cmocka_unit_test(values),
        cmocka_unit_test(ranks),       cmocka_unit_test(without_statements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
