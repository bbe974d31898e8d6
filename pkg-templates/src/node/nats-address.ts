/** Addresses of NATS servers, as `--log` takes them. */

/** The parts of `nats://USER:PASSWORD@HOST:PORT,HOST:PORT/?monitor=URL,URL&replicas=N`. */
interface Address {
  servers: string[];
  user: string | undefined;
  pass: string | undefined;
  tls: boolean;
  monitors: string[];
  replicas: number;
}

/** `undefined` if it is not such an address. */
export function readNatsUrl(url: string): Address | undefined {
  const found = /^(nats|tls):\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^/?#@]+)\/?(?:\?([^#]*))?$/.exec(url);
  if (!found) return undefined;
  const [, scheme, user, pass, hosts, query] = found;
  const parameters = new URLSearchParams(query);
  const replicas = Number(parameters.get('replicas') ?? 1);
  if (![1, 3, 5].includes(replicas)) return undefined;
  if ([...parameters.keys()].some((name) => name !== 'monitor' && name !== 'replicas')) return undefined;
  const monitors = (parameters.get('monitor') ?? '').split(',').filter((monitor) => monitor !== '');
  if (!monitors.every((monitor) => /^https?:/.test(monitor) && URL.canParse(monitor))) return undefined;
  return {
    servers: hosts!.split(','),
    user: user && decodeURIComponent(user),
    pass: pass === undefined ? process.env.NATS_PASSWORD : decodeURIComponent(pass),
    tls: scheme === 'tls',
    monitors,
    replicas,
  };
}
