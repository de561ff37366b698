// SPDX-License-Identifier: Apache-2.0
/** A random key. `randomUUID` is missing on pages that are served over plain HTTP. */
export const newIdempotencyKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
