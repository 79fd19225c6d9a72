// The keys of this page in a session with a wallet: NaCl box, as the session protocol of TON Connect describes it. A bridge sees only
// sealed messages.
import nacl from 'tweetnacl';
import { fromBase64, fromHex, toBase64, toHex } from './bytes';

export class Session {
  readonly id: string; // public key in hex, the client id at bridges

  private constructor(private readonly keys: nacl.BoxKeyPair) {
    this.id = toHex(keys.publicKey);
  }

  static create(): Session {
    return new Session(nacl.box.keyPair());
  }

  // restore returns the session of a secret key, undefined for a text that is none.
  static restore(secret: string): Session | undefined {
    const key = fromHex(secret);
    return key && new Session(nacl.box.keyPair.fromSecretKey(key));
  }

  get secret(): string {
    return toHex(this.keys.secretKey);
  }

  // seal encrypts a text for a client id: nonce and box, in base64.
  seal(text: string, to: string): string {
    const key = fromHex(to);
    if (!key) throw new Error('not a client id');
    const nonce = nacl.randomBytes(nacl.box.nonceLength);
    const box = nacl.box(new TextEncoder().encode(text), nonce, key, this.keys.secretKey);
    const message = new Uint8Array(nonce.length + box.length);
    message.set(nonce);
    message.set(box, nonce.length);
    return toBase64(message);
  }

  // open decrypts a message of a client id, undefined when it is not for this session, not from there, or not UTF-8.
  open(message: string, from: string): string | undefined {
    const key = fromHex(from);
    const bytes = fromBase64(message);
    if (!key || !bytes || bytes.length <= nacl.box.nonceLength) return undefined;
    const text = nacl.box.open(bytes.subarray(nacl.box.nonceLength), bytes.subarray(0, nacl.box.nonceLength), key, this.keys.secretKey);
    if (!text) return undefined;
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(text);
    } catch {
      return undefined;
    }
  }
}
