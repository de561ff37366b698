// SPDX-License-Identifier: Apache-2.0
// A break that an operator inserts: the fields of a form, the request, and what it does.

import { channelLimits } from '../../../src/http/contract/channelValues.ts';
import { plural } from '../format/numbers.ts';
import { formatDateTimeSeconds, formatDuration } from '../format/time.ts';
import { fromLocalText } from '../format/zonedTime.ts';

export type InsertionKind = 'ads' | 'blackout';
export type InsertionForm = {
  readonly kind: InsertionKind;
  readonly start: 'now' | 'later';
  /** As a field for dates and times has it, in the selected time zone. */
  readonly startsAt: string;
  readonly duration: string;
  readonly asset: string;
};

const filled = (text: string): string | undefined => (text.trim() === '' ? undefined : text.trim());

/** What is invalid is sent as typed, so that the server reports what is wrong with it. */
export function insertionBody({ kind, start, startsAt, duration, asset }: InsertionForm): Record<string, unknown> {
  const seconds = filled(duration)?.replace(',', '.');
  const time = fromLocalText(startsAt);
  return {
    action: 'insert',
    kind,
    ...(start === 'now' ? {} : { startsAt: time === undefined ? startsAt : new Date(time).toISOString() }),
    ...(seconds === undefined ? {} : { duration: Number.isNaN(Number(seconds)) ? seconds : Number(seconds) }),
    ...(kind === 'ads' || filled(asset) === undefined ? {} : { asset: filled(asset) }),
  };
}

/** `All viewers`, `1 viewer`. @param viewers undefined if the number is not known */
export const viewersText = (viewers: number | undefined): string =>
  viewers === undefined ? 'All viewers' : viewers === 0 ? 'Viewers who join' : plural(viewers, 'viewer');

/**
 * What viewers will see, in a sentence or two.
 * @param problem why breaks have no ads now
 */
export function insertionEffect(form: InsertionForm, viewers: number | undefined, problem?: string): string {
  const { kind, start, startsAt, duration, asset } = form;
  const seconds = Number(filled(duration)?.replace(',', '.') ?? Number.NaN);
  const length = seconds > 0 ? ` for ${formatDuration(seconds)}` : '';
  const isSlate = kind === 'ads' && problem !== undefined && start === 'now';
  const shown = isSlate
    ? 'slate'
    : kind === 'ads'
      ? 'ads'
      : filled(asset) === undefined
        ? 'slate'
        : 'the asset in a loop';
  const until = kind === 'blackout' && length === '' ? ' until you end the blackout' : length;
  const time = fromLocalText(startsAt);
  const from = start === 'now' || time === undefined ? '' : ` from ${formatDateTimeSeconds(time)} on`;
  const noAds = kind === 'blackout' ? ' Breaks of the origin within it have no ads.' : '';
  const why = isSlate ? `: ${problem.charAt(0).toLowerCase()}${problem.slice(1).replace(/\.$/, '')}` : '';
  return `${viewersText(viewers)} will see ${shown}${until}${from}${why}.${noAds}`;
}

/** Seconds for which a break lasts at most if its markers state neither end nor duration. */
export const maxBreakDuration = (channel: { readonly maxBreakDuration?: number }): number =>
  channel.maxBreakDuration ?? channelLimits.maxBreakDuration.default;
