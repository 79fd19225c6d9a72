// Package dashboard is the pages on which merchants see their payments and set up how they are notified. Pages are made
// here, from templates in the binary; the one script only keeps what is on its way up to date.
//
// Who is signed in is told by a cookie that scripts cannot read and other sites cannot send with a form; it is drawn anew
// at every sign-in. Every form carries a token of the session, and requests that a browser marks as another site's are
// refused besides. Passwords are kept as argon2id. Guessing is slowed down by name and by address.
package dashboard
