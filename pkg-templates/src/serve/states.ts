/**
 * The `requestState` of calls that wait for their clients: signed, so that nobody can continue the call of another
 * client.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export class States {
  readonly #key = randomBytes(32);

  sign(state: string, book: string, client: string): string {
    return `${state}.${this.#signature(state, book, client)}`;
  }

  /** The state that was signed for this client and book, or `undefined`. */
  verified(signed: string, book: string, client: string): string | undefined {
    const at = signed.lastIndexOf('.');
    const [state, given] = [signed.slice(0, Math.max(at, 0)), Buffer.from(signed.slice(at + 1))];
    const right = Buffer.from(this.#signature(state, book, client));
    return given.length === right.length && timingSafeEqual(given, right) ? state : undefined;
  }

  #signature(state: string, book: string, client: string): string {
    return createHmac('sha256', this.#key)
      .update(JSON.stringify([state, book, client]))
      .digest('base64url');
  }
}
