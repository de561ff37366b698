// SPDX-License-Identifier: Apache-2.0
// The storage account and container of a cloud system, read from its settings. No request is made to them.
import { createHash } from 'node:crypto';
import { ACCOUNT, CONTAINER, readEndpoint } from '../../../blobs/mediaLocation.ts';
import type { System } from './system.ts';

export type CloudTarget = {
  /** Identifies account and container, without secrets. */
  readonly location: string;
  /** Without a trailing slash. */
  readonly endpoint: string;
  readonly account: string;
  readonly key: string;
  readonly container: string;
};

type TargetReading =
  | { readonly ok: true; readonly target: CloudTarget }
  | { readonly ok: false; readonly problem: string };

const BASE64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$|^[A-Za-z0-9+/]{2,3}={1,2}$/;

/**
 * @param text the name of an account in the public cloud, or a blob endpoint: `https://name.blob.…` or
 * `http://host:port/name`
 */
function readAccount(text: string): { endpoint: string; account: string } | undefined {
  if (ACCOUNT.test(text)) return { endpoint: `https://${text}.blob.core.windows.net`, account: text };
  const url = readEndpoint(text);
  if (url === undefined) return undefined;
  const path = url.pathname.split('/').filter((part) => part !== '');
  const [account = url.hostname.replace(/\..*/, ''), ...rest] = path;
  if (rest.length > 0 || !ACCOUNT.test(account)) return undefined;
  return { endpoint: url.origin + (path.length === 0 ? '' : `/${account}`), account };
}

/** @returns the target, or what is wrong with the settings */
export function readCloudTarget(settings: System['settings']): TargetReading {
  const { storageAccount = '', storageKey = '', container = '' } = settings;
  const problems: string[] = [];
  const account = readAccount(storageAccount.trim());
  if (account === undefined) {
    problems.push(
      'storageAccount must be the name of a storage account (3 to 24 lowercase letters and digits) or the URL of its blob endpoint',
    );
  }
  const key = storageKey.trim();
  if (!BASE64.test(key)) problems.push('storageKey must be an access key of the storage account (base64)');
  if (!CONTAINER.test(container)) {
    problems.push('container must be 3 to 63 lowercase letters, digits and single hyphens');
  }
  if (account === undefined || problems.length > 0) return { ok: false, problem: `${problems.join('; ')}.` };
  const location = createHash('sha256').update(`${account.endpoint}/${container}`).digest('hex').slice(0, 16);
  return { ok: true, target: { location, ...account, key, container } };
}
