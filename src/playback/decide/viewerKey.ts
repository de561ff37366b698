// SPDX-License-Identifier: Apache-2.0
// Whom frequency caps count for.
import { createHash } from 'node:crypto';
import { isPreview } from '../../ads/request/preview.ts';
import type { AdRules } from '../../channels/demand.ts';
import type { ViewerKey } from '../../sessions/ports.ts';
import type { Session } from '../../sessions/session.ts';

/** Base64url characters of the hash: 192 bits. */
const KEY_LENGTH = 32;

/**
 * The viewer is who the operator's query parameter names, as a hash with the tenant as its salt, on all channels of the tenant.
 * Without a value, and in previews, which must not use up the caps of a viewer, it is the session.
 */
export function viewerKeyOf(
  session: Pick<Session, 'id' | 'tenant' | 'parameters'>,
  { viewerParameter = '' }: Pick<AdRules, 'viewerParameter'>,
): ViewerKey {
  const { id, tenant, parameters } = session;
  const value = Object.hasOwn(parameters, viewerParameter) ? parameters[viewerParameter] : '';
  if (!value || isPreview(session)) return { tenant, key: id };
  const hash = createHash('sha256').update(`${tenant}\n${value}`).digest('base64url');
  return { tenant, key: hash.slice(0, KEY_LENGTH) };
}
