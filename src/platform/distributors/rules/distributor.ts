// SPDX-License-Identifier: Apache-2.0
// A distributor of a channel: who republishes it, by URLs with a key of its own. Keys are random, shown once, stored as hashes.
import { randomBytes, randomUUID } from 'node:crypto';
import type { MarkersOut } from '../../../channels/channel.ts';
import type { Written } from '../../../channels/written.ts';
import { hashSecret } from '../../access/rules/apiKey.ts';

/** `hint`: the first characters, enough to tell two keys apart. The audit log masks `secretHash` by its name. */
export type DistributorKey = {
  readonly id: string;
  readonly secretHash: string;
  readonly hint: string;
  readonly createdAt: string;
  /** ISO 8601; from then on the key is rejected. */
  readonly expiresAt?: string;
};

/** `id` is unique in the channel. */
export type Distributor = Written & {
  readonly channelId: string;
  readonly name: string;
  readonly state: 'enabled' | 'disabled';
  readonly markersOut: MarkersOut;
  /** Seconds. */
  readonly markersOutAhead?: number;
  readonly guide?: { readonly listFiller?: boolean };
  /** What its breaks show in place of the channel's slate. */
  readonly slateManifestUrl?: string;
  readonly keys: readonly DistributorKey[];
};

/** Of a channel. */
export const MAX_DISTRIBUTORS = 100;
/** That have not expired. */
export const MAX_KEYS = 10;

/** 24 random bytes. What has another form is not looked up. */
const KEY = /^dk_[\w-]{32}$/;

export const isDistributorKey = (text: string): boolean => KEY.test(text);

export function issueDistributorKey(
  createdAt: string,
  expiresAt?: string,
): { readonly key: DistributorKey; readonly secret: string } {
  const secret = `dk_${randomBytes(24).toString('base64url')}`;
  const ends = expiresAt === undefined ? {} : { expiresAt };
  return {
    key: { id: randomUUID(), secretHash: hashSecret(secret), hint: secret.slice(0, 7), createdAt, ...ends },
    secret,
  };
}

export const isExpired = ({ expiresAt }: DistributorKey, now: number): boolean =>
  expiresAt !== undefined && Date.parse(expiresAt) <= now;

/** Whether it may request the channel with the key that has this hash. */
export const admits = ({ state, keys }: Distributor, hash: string, now: number): boolean =>
  state === 'enabled' && keys.some((key) => key.secretHash === hash && !isExpired(key, now));

/** The keys after a rotation: a new one, and those before it until `othersEnd`, if that is given. Expired ones are left out. */
export const rotated = (
  keys: readonly DistributorKey[],
  next: DistributorKey,
  now: number,
  othersEnd: string | undefined,
): DistributorKey[] => [
  ...keys
    .filter((key) => !isExpired(key, now))
    .map((key) =>
      othersEnd === undefined || (key.expiresAt !== undefined && key.expiresAt <= othersEnd)
        ? key
        : { ...key, expiresAt: othersEnd },
    ),
  next,
];
