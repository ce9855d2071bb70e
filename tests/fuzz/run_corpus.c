/* SPDX-License-Identifier: MIT
 *
 * Runs a fuzz target over files, without a fuzzer.
 *
 *   fuzz_NAME corpus/NAME [folder or file]...
 *
 * Linked to one fuzz_NAME.c it gives a program that any compiler builds, so that the
 * inputs that were once found stay tested where libFuzzer is not at hand. Each input is
 * copied into a block of exactly its size, for the address sanitizer to see a read past
 * its end. The empty input is always run. A folder without files is an error: it would
 * test nothing.
 */
#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* False when the file cannot be read. */
static bool run_file(const char *path) {
    FILE *file = fopen(path, "rb");
    struct stat info;
    if (file == NULL || fstat(fileno(file), &info) != 0) {
        perror(path);
        if (file) fclose(file);
        return false;
    }
    size_t size = (size_t)info.st_size;
    uint8_t *data = malloc(size > 0 ? size : 1);
    bool good = data != NULL && fread(data, 1, size, file) == size;
    if (good) {
        LLVMFuzzerTestOneInput(data, size);
    } else {
        perror(path);
    }
    free(data);
    fclose(file);
    return good;
}

/* The number of files run, or -1. */
static int run_folder(const char *path) {
    DIR *folder = opendir(path);
    if (folder == NULL) {
        perror(path);
        return -1;
    }
    int n_files = 0;
    struct dirent *entry;
    while ((entry = readdir(folder)) != NULL) {
        char name[4096];
        if (entry->d_name[0] == '.') continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (!run_file(name)) {
            closedir(folder);
            return -1;
        }
        n_files++;
    }
    closedir(folder);
    if (n_files == 0) fprintf(stderr, "%s: no files\n", path);
    return n_files > 0 ? n_files : -1;
}

int main(int argc, char **argv) {
    int n_files = 0;
    LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
    for (int i = 1; i < argc; i++) {
        struct stat info;
        bool is_folder = stat(argv[i], &info) == 0 && S_ISDIR(info.st_mode);
        int n = is_folder ? run_folder(argv[i]) : (run_file(argv[i]) ? 1 : -1);
        if (n < 0) return 1;
        n_files += n;
    }
    printf("%d inputs\n", n_files);
    return 0;
}
