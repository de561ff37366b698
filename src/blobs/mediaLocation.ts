// SPDX-License-Identifier: Apache-2.0
// The object store of conditioned media, read from MEDIA_URL. No request is made to it. Credentials are never part of the URL.

export type MediaLocation =
  | {
      readonly kind: 's3';
      readonly bucket: string;
      /** The beginning of the names of all objects; empty, or with a trailing slash. */
      readonly prefix: string;
      /** Undefined: as the environment of the AWS client has it, by default AWS itself. */
      readonly endpoint: string | undefined;
      readonly region: string | undefined;
      readonly pathStyle: boolean;
    }
  | {
      readonly kind: 'azure';
      readonly account: string;
      readonly container: string;
      readonly prefix: string;
      /** Without a trailing slash. */
      readonly endpoint: string;
    }
  | { readonly kind: 'folder'; readonly path: string; readonly prefix: '' };

type MediaLocationReading =
  | { readonly ok: true; readonly location: MediaLocation }
  /** `expected` continues "MEDIA_URL must be". */
  | { readonly ok: false; readonly expected: string };

const EXAMPLES = 's3://bucket/prefix, azure://account/container/prefix or file:///path';
const BUCKET = /^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/;
/** Names of a storage account and of a container in Azure. */
export const ACCOUNT = /^[a-z0-9]{3,24}$/;
export const CONTAINER = /^(?!.*--)[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;
const PREFIX_PART = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/;
const REGION = /^[a-z0-9-]{1,40}$/;
const parameters = { s3: ['endpoint', 'region', 'pathStyle'], azure: ['endpoint'], file: [] } as const;

const wrong = (expected: string): MediaLocationReading => ({ ok: false, expected });

/** @returns undefined unless it is an http or https URL without credentials, query and fragment */
export function readEndpoint(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
  return url.search + url.hash + url.username + url.password === '' ? url : undefined;
}

function readS3(url: URL, parts: readonly string[], endpoint: string | undefined): MediaLocationReading {
  if (!BUCKET.test(url.hostname)) return wrong('s3://bucket/prefix with the name of a bucket');
  const region = url.searchParams.get('region') ?? undefined;
  if (region !== undefined && !REGION.test(region)) return wrong('a URL whose parameter region is like eu-central-1');
  const style = url.searchParams.get('pathStyle');
  if (style !== null && style !== 'true' && style !== 'false')
    return wrong('a URL whose parameter pathStyle is true or false');
  const prefix = parts.map((part) => `${part}/`).join('');
  // Servers other than AWS rarely have a host name for each bucket.
  const pathStyle = style === null ? endpoint !== undefined : style === 'true';
  return { ok: true, location: { kind: 's3', bucket: url.hostname, prefix, endpoint, region, pathStyle } };
}

function readAzure(url: URL, parts: readonly string[], endpoint: string | undefined): MediaLocationReading {
  const [container = '', ...rest] = parts;
  const account = url.hostname;
  if (!ACCOUNT.test(account) || !CONTAINER.test(container))
    return wrong('azure://account/container/prefix with the names of a storage account and a container');
  const prefix = rest.map((part) => `${part}/`).join('');
  const at = endpoint ?? `https://${account}.blob.core.windows.net`;
  return { ok: true, location: { kind: 'azure', account, container, prefix, endpoint: at } };
}

export function readMediaUrl(text: string): MediaLocationReading {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const scheme = url?.protocol.slice(0, -1);
  if (url === undefined || (scheme !== 's3' && scheme !== 'azure' && scheme !== 'file'))
    return wrong(`a URL such as ${EXAMPLES}`);
  if (url.username !== '' || url.password !== '' || url.port !== '' || url.hash !== '')
    return wrong(`a URL such as ${EXAMPLES}, without credentials and port`);
  const known: readonly string[] = parameters[scheme];
  if ([...url.searchParams.keys()].some((name) => !known.includes(name)))
    return wrong(`a URL with no parameters${known.length === 0 ? '' : ` other than ${known.join(', ')}`}`);
  const parts = url.pathname.split('/').filter((part) => part !== '');
  if (scheme === 'file') {
    if (url.hostname !== '' || parts.length === 0) return wrong('file:// followed by the absolute path of a folder');
    return { ok: true, location: { kind: 'folder', path: decodeURIComponent(url.pathname), prefix: '' } };
  }
  if (!parts.every((part) => PREFIX_PART.test(part)))
    return wrong('a URL whose path contains only letters, digits, dots, dashes, underscores and slashes');
  const given = url.searchParams.get('endpoint');
  const endpoint = given === null ? undefined : readEndpoint(given)?.href.replace(/\/+$/, '');
  if (given !== null && endpoint === undefined)
    return wrong('a URL whose parameter endpoint is an http or https URL without credentials');
  return scheme === 's3' ? readS3(url, parts, endpoint) : readAzure(url, parts, endpoint);
}

/** For logs and findings, without parameters. */
export function nameOf(location: MediaLocation): string {
  if (location.kind === 'folder') return location.path;
  const { kind, prefix } = location;
  const where = kind === 's3' ? location.bucket : `${location.account}/${location.container}`;
  return `${kind}://${where}/${prefix}`.replace(/\/$/, '');
}
