// SPDX-License-Identifier: Apache-2.0
// Silences: about which alerts nothing is sent, and until when. A silence of a rule and a channel is that of one alert; it
// outlives the alert, because an alert that comes and goes is what people silence most.
import { labelKey } from '../../../channels/labels.ts';
import type { Written } from '../../../channels/written.ts';
import type { Millis } from '../../../time/units.ts';

export type Silence = Written & {
  readonly until: Millis;
  readonly reason?: string;
  /** An alert matches all that are present; at least one is. */
  readonly rule?: string;
  readonly channel?: string;
  readonly label?: string;
};

/** The most silences of a tenant. */
export const MAX_SILENCES = 500;

/** What a silence is compared with. */
type Silenceable = { readonly rule: string; readonly channel: string; readonly labels: readonly string[] };

/** The silence of an alert that lasts longest. */
export function silenceOf(silences: readonly Silence[], alert: Silenceable, now: Millis): Silence | undefined {
  return silences
    .filter(
      ({ until, rule = alert.rule, channel = alert.channel, label }) =>
        until > now &&
        rule === alert.rule &&
        channel === alert.channel &&
        (label === undefined || alert.labels.some((one) => labelKey(one) === labelKey(label))),
    )
    .reduce<Silence | undefined>((last, one) => (last === undefined || one.until > last.until ? one : last), undefined);
}
