// SPDX-License-Identifier: Apache-2.0
// Reads and validates the search settings of a system. Connecting is left to searchDomain.ts.
import { createHash } from 'node:crypto';
import type { System } from '../../../systems/rules/system.ts';

export type SearchTarget = {
  /** A hash of domain, user, password and index, to identify the target. */
  readonly key: string;
  /** `https://host[:port][/path]`, without a trailing slash. */
  readonly url: string;
  readonly user?: string;
  readonly password?: string;
  /** Documents are written to `<index>-<date>`. */
  readonly index: string;
};

type SearchReading =
  | { readonly kind: 'none' }
  | { readonly kind: 'invalid'; readonly problem: string }
  | { readonly kind: 'target'; readonly target: SearchTarget };

const DEFAULT_INDEX = 'midroll-reports';
/** The name of an index, to which a date is appended. */
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

/** Without `searchDomain`, report data stays in the installation's own store. */
export function readSearchTarget({ type, settings }: Pick<System, 'type' | 'settings'>): SearchReading {
  const { searchDomain = '', searchUser = '', searchPassword = '', searchIndex = '' } = settings;
  if (type !== 'ssai' || searchDomain.trim() === '') return { kind: 'none' };
  const url = readDomain(searchDomain.trim());
  const index = searchIndex.trim() === '' ? DEFAULT_INDEX : searchIndex.trim();
  const problems: string[] = [];
  if (url === undefined) {
    problems.push('searchDomain must be a host or an http(s) URL without user, query and fragment');
  }
  if (!INDEX.test(index)) {
    problems.push(
      'searchIndex must consist of lower-case letters, digits, dots, dashes and underscores, and begin with a letter or digit',
    );
  }
  if (url === undefined || problems.length > 0) return { kind: 'invalid', problem: `${problems.join('; ')}.` };
  const parts = [url, searchUser, searchPassword, index];
  const key = createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16);
  const credentials = searchUser === '' ? {} : { user: searchUser, password: searchPassword };
  return { kind: 'target', target: { key, url, index, ...credentials } };
}
