package embeddedpg

// fallbackMemory is the assumed memory of a machine that does not report it, in bytes.
const fallbackMemory = 2 << 30
