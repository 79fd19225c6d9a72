package embeddedpg

// fallbackMemory is assumed where the machine does not tell: a small one, in bytes.
const fallbackMemory = 2 << 30
