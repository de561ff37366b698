// Where a system keeps its report events, when it keeps them in a search domain: read from its settings. Asks nobody.
import { createHash } from 'node:crypto';
import type { System } from '../../tenants/system.ts';

export type SearchTarget = {
  /** Names domain, user and index; changes with the password too, and says nothing of it. */
  readonly key: string;
  /** `https://host[:port][/path]`, without a slash at the end. */
  readonly url: string;
  readonly user?: string;
  readonly password?: string;
  /** Documents go to `<index>-<date>`. */
  readonly index: string;
};

export type SearchReading =
  | { readonly kind: 'none' }
  | { readonly kind: 'wrong'; readonly problem: string }
  | { readonly kind: 'target'; readonly target: SearchTarget };

const DEFAULT_INDEX = 'midroll-reports';
/** What an index may be called; a date comes after it. */
const INDEX = /^[a-z0-9][a-z0-9._-]{0,199}$/;
const HOST = /^[A-Za-z0-9.-]+(:\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](:\d{1,5})?$/;

function readDomain(text: string): string | undefined {
  const url = HOST.test(text) ? `https://${text}` : text;
  if (!URL.canParse(url)) return undefined;
  const { protocol, origin, pathname, search, hash, username, password } = new URL(url);
  if (!/^https?:$/.test(protocol) || search !== '' || hash !== '' || username !== '' || password !== '')
    return undefined;
  return origin + pathname.replace(/\/+$/, '');
}

/** A domain that is not set is none: then events stay in the installation's own store. */
export function readSearchTarget({ type, settings }: Pick<System, 'type' | 'settings'>): SearchReading {
  const { searchDomain = '', searchUser = '', searchPassword = '', searchIndex = '' } = settings;
  if (type !== 'ssai' || searchDomain.trim() === '') return { kind: 'none' };
  const url = readDomain(searchDomain.trim());
  const index = searchIndex.trim() === '' ? DEFAULT_INDEX : searchIndex.trim();
  const problems: string[] = [];
  if (url === undefined) {
    problems.push('searchDomain must be a host, or an http(s) URL without user, query and fragment');
  }
  if (!INDEX.test(index)) {
    problems.push(
      'searchIndex must be lower-case letters, digits, dots, dashes and underscores, beginning with a letter or digit',
    );
  }
  if (url === undefined || problems.length > 0) return { kind: 'wrong', problem: `${problems.join('; ')}.` };
  const parts = [url, searchUser, searchPassword, index];
  const key = createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16);
  const credentials = searchUser === '' ? {} : { user: searchUser, password: searchPassword };
  return { kind: 'target', target: { key, url, index, ...credentials } };
}
