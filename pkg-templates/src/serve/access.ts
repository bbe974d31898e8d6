/** Authorization: tokens of this server's own, or those of an OAuth issuer. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type * as Libraries from './libraries.js';
import { Refusal } from './refusal.js';

/** Each scope includes those before it. */
export const SCOPES = ['read', 'propose', 'write', 'admin'] as const;

/**
 * `read` runs queries, `propose` changes a draft of its own (docs/review.md), `write` changes the book, `admin` creates and
 * resets books.
 */
export type Scope = (typeof SCOPES)[number];

/** The client that sent a request. */
export interface Principal {
  /** Identifies it in limits and logs. */
  key: string;
  /** Who it is, whatever else the server knows: nobody else ever has this. The rules of a book name it so. */
  id: string;
  may(scope: Scope, book: string): boolean;
}

/**
 * Whom a book takes a client for: one that the server knows, whoever the client says that it is. The rules of a book
 * (may_change/2) do not bind the host, nor whoever has the scope `admin`.
 */
export type Acting = { name: string; scope: Scope } | 'itself' | 'host';

/** The client that the rules of a book bind under its own name; `undefined` for any other. */
export const boundBy = (acting: Acting): { name: string; scope: Scope } | undefined =>
  typeof acting === 'string' || acting.scope === 'admin' ? undefined : acting;

/** What a request may do in a book. */
export interface Rights {
  /** Whether it may only read it. */
  readOnly: boolean;
  acting: Acting;
}

/** The rights of what the server itself looks up. */
export const READS: Rights = { readOnly: true, acting: 'host' };

/** Whoever may create and reset a book may change its rules. */
export function actingOf(principal: Principal, book: string): Acting {
  if (principal.key === '') return 'itself';
  return { name: principal.id, scope: highestScope(principal, book) };
}

/** The scope that includes all others that a client has. */
export function highestScope(principal: Principal, book: string): Scope {
  return [...SCOPES].reverse().find((one) => principal.may(one, book)) ?? 'read';
}

export interface Access {
  /** The client that sends this token; throws a {@link Refusal}. */
  identify(token: string | undefined, book: string): Promise<Principal>;
  /** The refusal for a client without the required scope. */
  forbidden(scope: Scope, book: string): Refusal;
  /** The protected-resource metadata of a book (RFC 9728), if there is an issuer. */
  metadata?(book: string): object;
}

const no = (scope: Scope) => `This needs the scope ${scope}, which the token does not have.`;

/** A token that this server knows, and what it may do. */
export interface KnownToken {
  token: string;
  scope: Scope;
  /** Whom the server knows it by. */
  name?: string | undefined;
}

/** Tokens that this server knows. */
export class TokenAccess implements Access {
  readonly #digests: Buffer[];

  constructor(private readonly tokens: KnownToken[]) {
    this.#digests = tokens.map(({ token }) => digest(token));
  }

  async identify(token: string | undefined): Promise<Principal> {
    if (token === undefined)
      throw new Refusal(401, 'Missing token: send Authorization: Bearer TOKEN', {
        'WWW-Authenticate': 'Bearer realm="hornbook"',
      });
    const given = digest(token);
    const found = this.#digests.findIndex((known) => timingSafeEqual(known, given));
    if (found < 0)
      throw new Refusal(401, 'Unknown token', {
        'WWW-Authenticate': 'Bearer realm="hornbook", error="invalid_token"',
      });
    const { scope, name } = this.tokens[found]!;
    // Its place in the file may change.
    const id = name ?? `token-${given.toString('hex').slice(0, 16)}`;
    const key = `token ${found + 1}`;
    return {
      key: name === undefined ? key : `${name} (${key})`,
      id,
      may: (asked) => SCOPES.indexOf(asked) <= SCOPES.indexOf(scope),
    };
  }

  forbidden(scope: Scope): Refusal {
    return new Refusal(403, no(scope));
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Asymmetric algorithms only: a public key of the issuer must not work as a shared secret. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** Tolerance for clock skew, in seconds. */
const TOLERANCE = 30;
/** How long the issuer may take to say where its keys are, in milliseconds. */
const ISSUER_MS = 5_000;

/** Access tokens from an issuer, with this server as the resource. */
export class OAuthAccess implements Access {
  #keys: Promise<ReturnType<typeof Libraries.createRemoteJWKSet>> | undefined;

  /**
   * @param issuer its identifier, a URL
   * @param server the public URL of this server, without a trailing slash
   */
  constructor(
    private readonly libraries: typeof Libraries,
    private readonly issuer: string,
    private readonly server: string,
  ) {}

  async identify(token: string | undefined, book: string): Promise<Principal> {
    if (token === undefined) throw this.#unauthorized('A token of the issuer is needed', book);
    const keys = await this.#found();
    let claims: Awaited<ReturnType<typeof Libraries.jwtVerify>>['payload'];
    try {
      const verified = await this.libraries.jwtVerify(token, keys, {
        issuer: this.issuer,
        audience: [this.server, `${this.server}/`, this.#resource(book)],
        algorithms: ALGORITHMS,
        clockTolerance: TOLERANCE,
        requiredClaims: ['exp'],
      });
      claims = verified.payload;
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      if (code === undefined || code === 'ERR_JWKS_TIMEOUT' || code === 'ERR_JOSE_GENERIC')
        throw new Refusal(503, `The issuer's keys cannot be read: ${message}`, {}, -32000);
      throw this.#unauthorized(`The token is refused: ${message}`, book, 'invalid_token');
    }
    const scopes = new Set(scopesOf(claims));
    const who = claims.sub ?? claims.client_id ?? claims.azp ?? 'nobody';
    return {
      key: `subject ${String(who)}`,
      id: String(who),
      may: (scope, name) =>
        SCOPES.slice(SCOPES.indexOf(scope)).some((one) => scopes.has(one) || scopes.has(`${one}:${name}`)),
    };
  }

  forbidden(scope: Scope, book: string): Refusal {
    return new Refusal(403, no(scope), {
      'WWW-Authenticate': this.#challenge(book, `error="insufficient_scope", scope="${scope}:${book}"`),
    });
  }

  metadata(book: string): object {
    return {
      resource: this.#resource(book),
      authorization_servers: [this.issuer],
      scopes_supported: SCOPES.flatMap((scope) => [`${scope}:${book}`, scope]),
      bearer_methods_supported: ['header'],
      resource_name: `Hornbook: ${book}`,
    };
  }

  #resource(book: string): string {
    return `${this.server}/mcp/${book}`;
  }

  #unauthorized(message: string, book: string, error?: string): Refusal {
    const parameters = `${error ? `error="${error}", ` : ''}scope="read:${book}"`;
    return new Refusal(401, message, { 'WWW-Authenticate': this.#challenge(book, parameters) });
  }

  #challenge(book: string, parameters: string): string {
    return `Bearer ${parameters}, resource_metadata="${this.server}/.well-known/oauth-protected-resource/mcp/${book}"`;
  }

  #found() {
    this.#keys ??= this.#find();
    this.#keys.catch(() => (this.#keys = undefined));
    return this.#keys;
  }

  /** Find out where the issuer's keys are (RFC 8414, or OpenID Connect). */
  async #find() {
    const issuer = new URL(this.issuer);
    const path = issuer.pathname.replace(/\/$/, '');
    const places = [
      `${issuer.origin}/.well-known/oauth-authorization-server${path}`,
      `${issuer.origin}${path}/.well-known/openid-configuration`,
    ];
    let problem = 'it has no metadata';
    for (const place of places) {
      try {
        const answer = await fetch(place, { signal: AbortSignal.timeout(ISSUER_MS), redirect: 'error' });
        if (!answer.ok) continue;
        const { issuer: named, jwks_uri: keys } = (await answer.json()) as { issuer?: string; jwks_uri?: string };
        if (named !== this.issuer) problem = `its metadata names another, ${named}`;
        else if (keys === undefined) problem = 'its metadata has no jwks_uri';
        else return this.libraries.createRemoteJWKSet(new URL(keys));
      } catch (error) {
        problem = (error as Error).message;
      }
    }
    throw new Refusal(503, `The keys of the issuer ${this.issuer} cannot be found: ${problem}`, {}, -32000);
  }
}

function scopesOf({ scope, scp }: Record<string, unknown>): string[] {
  const claim = scope ?? scp;
  if (Array.isArray(claim)) return claim.map(String);
  return typeof claim === 'string' ? claim.split(' ') : [];
}

/** Everybody may do everything; clients are not distinguished. */
export const OPEN_ACCESS: Access = {
  identify: async () => ({ key: '', id: '', may: () => true }),
  forbidden: (scope) => new Refusal(403, no(scope)),
};
