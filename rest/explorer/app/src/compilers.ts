// The compilers that this server has for the reader's browser.

/** Names as func-0.4.6, the newest of each language first; empty when the operator configured none. */
export const compilers: string[] = (document.documentElement.dataset['compilers'] ?? '').split(' ').filter(Boolean);
