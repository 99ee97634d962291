/** Names that headers use most, by the header of the language or the system that declares them. */
const declared: Readonly<Record<string, string>> = {
  'assert.h': 'assert static_assert',
  'ctype.h': 'isalnum isalpha isdigit isspace isupper islower isprint ispunct isxdigit tolower toupper',
  'errno.h': 'errno EINVAL ENOMEM EINTR EAGAIN ENOENT',
  'inttypes.h':
    'PRId64 PRIu64 PRIx64 PRIu32 int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t',
  'limits.h': 'CHAR_BIT INT_MAX INT_MIN UINT_MAX LONG_MAX LONG_MIN ULONG_MAX SIZE_MAX PATH_MAX',
  'math.h': 'sqrt pow floor ceil fabs sin cos exp log INFINITY NAN isnan',
  'netinet/in.h': 'sockaddr_in sockaddr_in6 in_addr in6_addr htons ntohs htonl ntohl',
  'pthread.h': 'pthread_t pthread_mutex_t pthread_cond_t pthread_attr_t pthread_key_t pthread_mutex_lock',
  'setjmp.h': 'jmp_buf setjmp longjmp',
  'signal.h': 'sig_atomic_t sigset_t signal SIGINT SIGTERM SIGCHLD',
  'stdarg.h': 'va_list va_start va_end va_arg va_copy',
  'stdbool.h': 'bool true false',
  'stddef.h': 'size_t ptrdiff_t wchar_t NULL offsetof',
  'stdint.h':
    'int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t intmax_t uintmax_t SIZE_MAX UINT32_MAX',
  'stdio.h':
    'FILE NULL size_t printf fprintf snprintf vsnprintf fputs fputc puts fopen fclose stdin stdout stderr',
  'stdlib.h': 'NULL size_t malloc calloc realloc free abort exit abs qsort getenv strtol',
  'string.h':
    'NULL size_t memcpy memmove memset memcmp memchr strlen strcmp strncmp strcpy strchr strdup strstr',
  'strings.h': 'strcasecmp strncasecmp',
  'sys/queue.h':
    'TAILQ_HEAD TAILQ_ENTRY LIST_HEAD LIST_ENTRY SLIST_HEAD SLIST_ENTRY STAILQ_HEAD STAILQ_ENTRY',
  'sys/socket.h': 'sockaddr sockaddr_storage socklen_t sa_family_t',
  'sys/stat.h': 'stat mode_t S_ISDIR S_ISREG',
  'sys/time.h': 'timeval gettimeofday timeradd timersub',
  'sys/types.h':
    'size_t ssize_t off_t pid_t uid_t gid_t mode_t time_t dev_t ino_t u_char u_short u_int u_long',
  'time.h': 'time_t tm timespec clock_t size_t NULL time',
  'unistd.h': 'ssize_t size_t pid_t off_t read write close fork',
  'wchar.h': 'wchar_t wint_t mbstate_t wcslen',
};

const namesByHeader: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(declared).map(([header, names]) => [header, names.split(' ')]),
);

/** Returns names that a header of the language or the system declares; none for an unknown one. */
export function libraryNames(header: string): readonly string[] {
  return namesByHeader.get(header) ?? namesByHeader.get(nameInC(header)) ?? [];
}

/** Returns the name of a header of C that C++ calls differently: `cstdio` is `stdio.h`. */
function nameInC(header: string): string {
  return /^c[a-z]+$/.test(header) ? `${header.slice(1)}.h` : header;
}
