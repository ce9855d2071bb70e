/* SPDX-License-Identifier: MIT
 *
 * The schema of the form `json`, in both orders of its keys (rule 22).
 *
 * Endpoints write the keys in the order of the schema, so the order decides whether the
 * judge gives its evidence before or after its verdict. Every key is required and no
 * number has limits, since some strict endpoints refuse optional keys and limits; the
 * scale is checked when the reply is read (json_form.c).
 *
 * Left out: how an endpoint wants the schema wrapped (name, strict); that is the work
 * of the judge's codec.
 */
#include "verdict/verdict.h"

#define HEAD "{\"type\":\"object\",\"additionalProperties\":false,\"required\":["
#define EVIDENCE_KEYS "\"reason\",\"score_1\",\"score_2\""
#define EVIDENCE                                                                       \
    "\"reason\":{\"type\":\"string\"},\"score_1\":{\"type\":\"number\"},"              \
    "\"score_2\":{\"type\":\"number\"}"
#define VERDICT "\"verdict\":{\"type\":\"string\",\"enum\":[\"A\",\"B\",\"tie\"]}"

eh_str verdict_json_schema(bool verdict_first) {
    if (verdict_first)
        return EH_STR(HEAD "\"verdict\"," EVIDENCE_KEYS "],\"properties\":{" VERDICT
                           "," EVIDENCE "}}");
    return EH_STR(HEAD EVIDENCE_KEYS ",\"verdict\"],\"properties\":{" EVIDENCE
                                     "," VERDICT "}}");
}
