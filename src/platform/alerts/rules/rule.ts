// SPDX-License-Identifier: Apache-2.0
// Alert rules: which condition of which channels is reported, after how long, and to which webhooks. This module decides when
// an alert fires and what its event contains; it knows neither routes nor databases nor how a channel is shown.

import type { Written } from '../../../channels/written.ts';
import { plural } from '../../../plural.ts';
import type { Severity } from '../contract/alertValues.ts';

/** What is checked, with its threshold. */
export type Condition =
  | { readonly kind: 'fill'; readonly belowPercent: number }
  | {
      readonly kind: 'ad-server';
      readonly abovePercent: number;
      /** `failed`: errors and timeouts. */
      readonly outcome: 'failed' | 'timeout';
      /** In a minute; with fewer requests there is no judgement. */
      readonly minRequests: number;
    }
  | { readonly kind: 'off-air' }
  /** `failing`: an origin fails or stalls, even if a backup replaces it. `slate`: viewers are shown slate in place of content. */
  | { readonly kind: 'origin'; readonly when: 'failing' | 'slate' }
  /** At least `minFailures` creatives fail within `forMinutes`. */
  | { readonly kind: 'creative'; readonly minFailures: number }
  | {
      readonly kind: 'beacons';
      readonly abovePercent: number;
      readonly minBeacons: number;
      /** How late the oldest pending beacon may be. */
      readonly olderMinutes: number;
    };

/** The most rules of a tenant. Each costs time in every evaluation. */
export const MAX_RULES = 100;

export type AlertKind = Condition['kind'];

export type AlertRule = Written &
  Condition & {
    readonly name: string;
    readonly enabled: boolean;
    readonly severity: Severity;
    /** A URL that replaces the page for the kind. */
    readonly runbook?: string;
    /** Ids; without ids and labels, all channels of the tenant are checked. Each channel has its own alert. */
    readonly channels: readonly string[];
    /** Channels with one of them are checked, in addition to those in `channels`. */
    readonly labels: readonly string[];
    /** How long the condition must hold. */
    readonly forMinutes: number;
    /** How often a firing alert is repeated; absent for never. */
    readonly repeatMinutes?: number;
    /** Ids of webhooks. */
    readonly webhooks: readonly string[];
  };

export const MINUTE_MS = 60_000;

/** How long the condition must hold before the alert fires. Failed creatives are counted over that time, so it fires at once. */
export const delayMs = ({ kind, forMinutes }: Pick<AlertRule, 'kind' | 'forMinutes'>): number =>
  kind === 'creative' ? 0 : forMinutes * MINUTE_MS;

/** The condition in words, such as `Fill below 80%`. */
export function describeCondition(condition: Condition): string {
  switch (condition.kind) {
    case 'fill':
      return `Fill below ${condition.belowPercent}%`;
    case 'ad-server':
      return `${condition.outcome === 'timeout' ? 'Ad request timeouts' : 'Failed ad requests'} above ${condition.abovePercent}%`;
    case 'off-air':
      return 'Not on air';
    case 'origin':
      return condition.when === 'slate' ? 'Slate instead of the origin' : 'Origin failing';
    case 'creative':
      return `${plural(condition.minFailures, 'failed creative')} or more`;
    case 'beacons':
      return `Beacons ${condition.olderMinutes} minutes late, or more than ${condition.abovePercent}% failed`;
  }
}

/** The default name of a rule. */
export const describeRule = (rule: Condition & Pick<AlertRule, 'forMinutes'>): string =>
  `${describeCondition(rule)} ${rule.kind === 'creative' ? 'within' : 'for'} ${plural(rule.forMinutes, 'minute')}`;
