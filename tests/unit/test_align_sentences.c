/* SPDX-License-Identifier: MIT
 *
 * Sentences in many languages, and the rules one by one. "¦" marks where a unit begins.
 */
#include "align_marked.h"

static const align_options plain = {0};

static void test_english(void **state) {
    (void)state;
    ASSERT_UNITS(
        &plain,
        "The pump failed at 9 a.m. sharp. ¦Nobody was hurt. ¦Repairs took a week.",
        "Is that so? ¦Yes! ¦It cost $3.50, not $4. ¦We paid.",
        "Dr. Lind and Mrs. Ode spoke. ¦Prof. Ray left with Capt. Holt. ¦All was said.",
        "It grew, e.g. in Spain, i.e. in the south. ¦Cf. Table 2. ¦Others shrank.",
        "See Fig. 3 and vol. II, pp. 4-9. ¦No. ¦No. 7 is missing.",
        "G. K. Moss and A.B. Sand agree. ¦The U.S. Army did not.",
        "He wrote \"Go now. Come back.\" and left. ¦\"Why? ¦Because.\" ¦She sighed.",
        "Set the flag (see below. It matters.) first. ¦(It is off. ¦It stays off.) "
        "¦Done.",
        "Read the docs at https://a.example/x.y?z=1. ¦Then run ./go.sh and wait.",
        "Version 2.0.1 is out! ¦It fixes foo.bar() and v1.9. ¦Good.",
        "Well... maybe. ¦Or not… ¦Who knows?! ¦Nobody.",
        "It rains. and then it stops. ¦Fine.",
        "Salt melts ice. ¦5 grams are enough. ¦3 of 4 agree.",
        "The gap closed.[3] ¦Then it opened.[4, 5] ¦Later.² ¦End.", "That is all! 🎉",
        "Use *care.* ¦**Stop here.** ¦_Go on._ ¦`x.y` is fine. ¦Is `a. B`? ¦Yes.",
        "Rock 'n' roll. ¦It's the dogs' bowl. ¦They said 'no. Never.' to me. ¦Fine.",
        "Do this: 1. Mix. ¦2. Bake. ¦3. Eat. ¦All 12. ¦Good.");
}

static void test_german(void **state) {
    (void)state;
    ASSERT_UNITS(
        &plain, "Am 3. Oktober 1990 regnete es. ¦Danach nicht mehr. ¦Es war kalt.",
        "Viele Städte, z. B. Bonn und Köln, liegen am Rhein. ¦Andere, d. h. Ulm, "
        "nicht.",
        "Das gilt z.B. für Eisen. ¦Vgl. Abb. 4 und Nr. 12. ¦Herr Dr. Kern bestätigt "
        "das.",
        "„Bleib hier. ¦Es ist spät“, bat er. ¦Sie ging. ¦»Warum?« ¦Er schwieg.",
        "Er rief „Halt! Wer da?“ in die Nacht. ¦Niemand kam.",
        "Im Jahr 44 v. Chr. starb Cäsar. ¦Das ist u. a. bei Sueton belegt.",
        "Was kostet das? ¦Etwa 3,50 € bzw. 4 €. ¦Ärger gibt es nicht. ¦Übrigens: gut.");
    const align_options german = {.lang = EH_STR("de")};
    ASSERT_UNITS(
        &german,
        "Im 19. Jahrhundert wuchs die Stadt. ¦Sie kam auf Platz 2. der Liste.");
}

static void test_french(void **state) {
    (void)state;
    ASSERT_UNITS(
        &plain, "Il pleut depuis hier. ¦Voulez-vous sortir ? ¦Non ! ¦Restons ici.",
        "« Venez ici. ¦Il fait froid. » ¦Elle obéit. ¦« Merci ! » dit-il.",
        "« Venez.\xC2\xA0» ¦Elle vint. ¦Il dit « Oui. Non. » et partit. ¦Voilà.",
        "M. Dupont et Mme. Roy sont là. ¦Cf. p. 12 et art. 3. ¦C'est tout.",
        "Le prix (env. 4,50 €) baisse. ¦À midi, tout change. ¦Écoutez…",
        "Des fruits, p. ex. des pommes, sont vendus. ¦Ça suffit.");
}

static void test_spanish(void **state) {
    (void)state;
    ASSERT_UNITS(
        &plain, "¿Dónde está? ¦¡Aquí! ¦No lo veo. ¦El Sr. Gil y la Sra. Paz llegaron.",
        "Vive en EE. UU. desde 1999. ¦Antes, p. ej. en mayo, no. ¦Ángel lo sabe.",
        "Dijo: «Ven. Siéntate.» y calló. ¦Véase pág. 3 y núm. 8. ¦¿Y tú? ¦Ñandú no.",
        "Cuesta 3.000 pesos. ¦¡Qué caro! ¦\"Así es. ¦No hay otro.\" ¦Fin.");
}

static void test_chinese(void **state) {
    (void)state;
    ASSERT_UNITS(
        &plain, "今天下雨了。¦我们在家里看书！¦你呢？¦明天会好的。",
        "水温是37.5度。¦他说：“我不去。你去吧。”然后走了。¦大家都笑了……没有人说话。",
        "“太好了。¦我来了。”她喊道。¦（见第3页。）下一步很简单。",
        "使用 Python 3.11。¦Then run it. ¦运行`a。b`命令。¦完成",
        "第一，加水。¦第二，加盐。");
}

static void test_japanese(void **state) {
    (void)state;
    ASSERT_UNITS(&plain,
                 "今日は雨です。¦家で本を読みます。¦楽しいですか？¦はい！¦とても。",
                 "彼は「すぐ行く。待って。」と言った。¦私は待った。",
                 "「早く！¦遅れるよ。」と母が言った。¦値段は１．５倍だ。¦次へ。",
                 "ｶﾅです｡¦終わり｡");
}

static void test_other_languages(void **state) {
    (void)state;
    ASSERT_UNITS(&plain, "Идёт снег. ¦Почему? ¦А. П. Чехов писал об этом.",
                 "هل وصلت؟ ¦نعم، وصلت. ¦شكرا.", "यह अच्छा है। ¦क्या आप आएंगे? ¦हाँ।",
                 "비가 온다. ¦우산이 있니? ¦응.", "Τι ώρα είναι; Δεν ξέρω. ¦Ας δούμε.",
                 "Ο ήλιος λάμπει. ¦The sun shines. ¦太陽が輝く。¦Да.");
    const align_options greek = {.lang = EH_STR("el")};
    ASSERT_UNITS(&greek, "Τι ώρα είναι; ¦Δεν ξέρω. ¦Ας δούμε.");
}

static void test_language_tag(void **state) {
    (void)state;
    eh_arena arena;
    arena_init(&arena, (size_t)1 << 20);
    align_units units;
    eh_error err = {0};
    const align_options options = {.lang = EH_STR("no tag!")};
    assert_int_equal(
        align_units_of(EH_STR("One. Two."), &options, &arena, &units, &err),
        EH_STATUS_CONFIG);
    assert_non_null(strstr(err.msg, "no tag!"));
    arena_deinit(&arena);
}

static void test_line_breaks(void **state) {
    (void)state;
    ASSERT_UNITS(&plain, "One line\nand its end. ¦Two\r\nlines.\r\n¦Three.\r¦Four.\n\n",
                 "\n\n  Late start. ¦Then more.\n¦  Indented text. ¦It goes on.",
                 "> Quoted. ¦And\n> on. ¦So it\n> goes.\n¦> Fine.");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_english),         cmocka_unit_test(test_german),
        cmocka_unit_test(test_french),          cmocka_unit_test(test_spanish),
        cmocka_unit_test(test_chinese),         cmocka_unit_test(test_japanese),
        cmocka_unit_test(test_other_languages), cmocka_unit_test(test_language_tag),
        cmocka_unit_test(test_line_breaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
