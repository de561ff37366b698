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
/** Valid in other languages, too, for clients that are generated from the OpenAPI document. */
export const EMAIL_PATTERN = '^[^\\s@\\x00-\\x1f\\x7f-\\x9f]+@[^\\s@\\x00-\\x1f\\x7f-\\x9f]+$';
export const EMAIL = new RegExp(EMAIL_PATTERN, 'u');
export const LONGEST_KEY_NAME = 200;
/** The name of a key: no control characters, because terminals display it. */
export const KEY_NAME = new RegExp(`^[^\\p{Cc}\\p{Cs}]{0,${LONGEST_KEY_NAME}}$`, 'u');
