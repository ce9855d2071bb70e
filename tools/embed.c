/* SPDX-License-Identifier: MIT
 *
 * embed OUT.c SYMBOL [FILE...]: files become string literals in a C source.
 *
 * Writes a table  const embedded_file SYMBOL[] = {{name, text, length}, ..., {0}}; the
 * name is the file's, without folder. Without files the table is empty. Runs at build,
 * natively; the source that it writes is never kept in the repository.
 */
#include <stdio.h>
#include <string.h>

static int write_literal(FILE *out, const char *path) {
    FILE *in = fopen(path, "rb");
    if (!in) {
        perror(path);
        return 1;
    }
    const char *slash = strrchr(path, '/');
    fprintf(out, "    {\"%s\",\n     \"", slash ? slash + 1 : path);
    unsigned long n_bytes = 0;
    for (int c; (c = getc(in)) != EOF; n_bytes++) {
        if (c == '\n')
            fputs("\\n\"\n     \"", out);
        else if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 0x20 || c > 0x7E || c == '?')
            fprintf(out, "\\%03o", (unsigned)c);
        else
            putc(c, out);
    }
    int failed = ferror(in);
    fprintf(out, "\", %luu},\n", n_bytes);
    fclose(in);
    return failed;
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fputs("usage: embed OUT.c SYMBOL [FILE...]\n", stderr);
        return 2;
    }
    FILE *out = fopen(argv[1], "wb");
    if (!out) {
        perror(argv[1]);
        return 1;
    }
    fprintf(out, "#include \"base/embedded.h\"\n\nconst embedded_file %s[] = {\n",
            argv[2]);
    int failed = 0;
    for (int i = 3; i < argc; i++)
        failed |= write_literal(out, argv[i]);
    fputs("    {0, 0, 0},\n};\n", out);
    return fclose(out) != 0 || failed;
}
