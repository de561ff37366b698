// SPDX-License-Identifier: Apache-2.0
// Replaces secrets of records by markers that state whether the secret has changed, and nothing else about it.
import { isSecretName, maskUrl } from '../ads/request/maskSecrets.ts';
import { isObject, isSame } from './diffRecords.ts';

export const SECRET = '[secret]';
export const CHANGED_SECRET = '[secret, changed]';

/** All values below fields with these names are secrets: names of headers and settings vary. */
const secretParents = new Set(['headers', 'settings']);

const isUrl = (text: string): boolean => /^[a-z][a-z\d+.-]*:\/\//i.test(text);

/** @param other the same field of the other version; undefined if there is none */
function mask(value: unknown, other: unknown, isSecret: boolean, hasOther: boolean): unknown {
  if (isObject(value)) {
    const others = isObject(other) ? other : {};
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => {
        const isBelow = isSecret || (isSecretName(name) && !isObject(field));
        return [name, mask(field, others[name], isBelow || secretParents.has(name), hasOther)];
      }),
    );
  }
  if (Array.isArray(value)) {
    const others = Array.isArray(other) ? other : [];
    return value.map((item, index) => mask(item, others[index], isSecret, hasOther));
  }
  const marker = hasOther && !isSame(value, other) ? CHANGED_SECRET : SECRET;
  if (isSecret) return value === undefined ? undefined : marker;
  if (typeof value !== 'string' || !isUrl(value)) return value;
  const masked = maskUrl(value);
  // Two URLs that differ in a secret only must not look the same.
  const isHidden = hasOther && typeof other === 'string' && value !== other && masked === maskUrl(other);
  return isHidden ? `${masked} ${CHANGED_SECRET}` : masked;
}

/** Both versions without secrets. The later one states which secrets have changed. */
export function maskRecords(before: object | undefined, after: object | undefined) {
  return {
    before: before && (mask(before, undefined, false, false) as object),
    after: after && (mask(after, before, false, before !== undefined) as object),
  };
}
