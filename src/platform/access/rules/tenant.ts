// SPDX-License-Identifier: Apache-2.0
// A tenant: the owner of systems, playlists, channels and API keys. Tenants cannot access each other's records.

export type Tenant = {
  /** 1 to 63 letters, digits, dots, dashes, underscores. */
  readonly name: string;
  readonly createdAt: string;
  readonly createdBy: string;
};

export const TENANT_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;
export const LONGEST_EMAIL = 254;
export const EMAIL = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u;
/** The name of a key: no control characters, because terminals display it. */
export const KEY_NAME = /^[^\p{Cc}\p{Cs}]{0,200}$/u;
