// An issuer of OAuth tokens, for a server under test.
import { createServer } from 'node:http';
import { SignJWT, exportJWK, generateKeyPair } from 'jose';

/** The public address of the server. */
export const SERVER = 'https://books.example';
const HOUR = 3600;

export class Issuer {
  #keys;
  #http;

  /** Start it on a free port. */
  static async start() {
    const issuer = new Issuer();
    issuer.#keys = await generateKeyPair('ES256', { extractable: true });
    const jwk = { ...(await exportJWK(issuer.#keys.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };
    issuer.#http = createServer((request, response) => {
      const found = {
        '/.well-known/oauth-authorization-server': { issuer: issuer.url, jwks_uri: `${issuer.url}/keys` },
        '/keys': { keys: [jwk] },
      }[request.url];
      response.writeHead(found ? 200 : 404, { 'Content-Type': 'application/json' }).end(JSON.stringify(found));
    });
    await new Promise((resolve) => issuer.#http.listen(0, '127.0.0.1', resolve));
    issuer.url = `http://127.0.0.1:${issuer.#http.address().port}`;
    return issuer;
  }

  /** The arguments for a server that takes its tokens. */
  get arguments() {
    return ['--issuer', this.url, '--public-url', SERVER];
  }

  /** A token of this subject with these scopes. */
  token(sub, scope) {
    const exp = Math.floor(Date.now() / 1000) + HOUR;
    return new SignJWT({ iss: this.url, aud: SERVER, sub, exp, scope })
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .sign(this.#keys.privateKey);
  }

  close() {
    this.#http.close();
  }
}
