// SPDX-License-Identifier: Apache-2.0
// The steps and hooks of a channel: faults that a JSON schema cannot express. Accepts values of any type.
import { type FieldError, fieldError } from '../errors.ts';
import type { ChannelDemand } from './demand.ts';
import { type Fields, fieldsOf } from './fieldsOf.ts';
import { urlFaults } from './urlFaults.ts';

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

type Listed = { readonly id: string; readonly path: string };

/** The ids of ad sources in steps of any type, with their paths. */
export const sourcesIn = (adSteps: unknown): Listed[] =>
  listOf(adSteps).flatMap((step, index) =>
    listOf(fieldsOf(step).sources).flatMap((id, at) =>
      typeof id === 'string' ? [{ id, path: `/adSteps/${index}/sources/${at}` }] : [],
    ),
  );

/** The ids of the ad sources of a channel's steps. */
export const sourceIdsOf = ({ adSteps = [] }: Pick<ChannelDemand, 'adSteps'>): string[] =>
  adSteps.flatMap(({ sources }) => sources);

function repetitionFaults(adSteps: unknown): FieldError[] {
  const known = new Set<string>();
  return sourcesIn(adSteps).flatMap(({ id, path }) => {
    const isKnown = known.has(id);
    known.add(id);
    const message = `must be listed once in all steps; got ${JSON.stringify(id.slice(0, 128))} again. Remove one`;
    return isKnown ? [fieldError('unique', path, message)] : [];
  });
}

/** A step without a share gets an equal part of what is left. */
function shareFaults(adSteps: unknown): FieldError[] {
  const shares = listOf(adSteps).map((step) => fieldsOf(step).timeShare);
  const given = shares.filter((share) => typeof share === 'number');
  const sum = given.reduce((total, share) => total + share, 0);
  const most = given.length === shares.length ? 100 : 99;
  if (sum <= most) return [];
  const rest = most === 100 ? '' : ', so that time is left for steps without one';
  const message = `must have timeShare values whose sum is at most ${most}${rest}; got ${sum}. Reduce them`;
  return [fieldError('timeShare', '/adSteps', message, { limit: most })];
}

/** @param fields of a channel, of any type */
export function demandFaults({ adSteps, adHooks }: Fields): FieldError[] {
  const { requestUrl, adsUrl } = fieldsOf(adHooks);
  return [
    ...repetitionFaults(adSteps),
    ...shareFaults(adSteps),
    ...urlFaults(requestUrl, '/adHooks/requestUrl'),
    ...urlFaults(adsUrl, '/adHooks/adsUrl'),
  ];
}
