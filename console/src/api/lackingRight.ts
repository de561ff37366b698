// SPDX-License-Identifier: Apache-2.0
// What the signed-in operator may not do, and why. The API decides; this only disables buttons.

import type { MeResponse } from '../../../src/platform/access/contract/accessContract.ts';
import { includesScope, type Scope } from '../../../src/platform/access/rules/scope.ts';

/** `tenant`: everything, and on all channels. */
export type Right = Scope | 'tenant';
export type Rights = Pick<MeResponse, 'scope' | 'channels' | 'kind'>;

const subjectOf = ({ kind }: Rights): string => (kind === 'key' ? 'Your key' : 'Your role');

/** @returns why pages about the whole tenant cannot be read; undefined if they can */
export const restriction = (of: Rights | undefined): string | undefined =>
  of?.channels === undefined ? undefined : `${subjectOf(of)} is restricted to some channels.`;

/** @returns a hint for a disabled button; undefined if the operator has the right. @param of undefined before the sign-in */
export function lackingRight(of: Rights | undefined, right: Right | undefined): string | undefined {
  if (of === undefined || right === undefined) return undefined;
  const scope = right === 'tenant' ? 'manage' : right;
  if (!includesScope(of.scope, scope)) return `Requires the scope ${scope}. ${subjectOf(of)} has ${of.scope}.`;
  return right === 'tenant' ? restriction(of) : undefined;
}
