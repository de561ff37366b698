// SPDX-License-Identifier: Apache-2.0
// What alerts need from outside: stores, implemented in src/platform/alerts/store, and what is known of channels, which the
// composition root supplies.

import type { Channel } from '../../../channels/channel.ts';
import type { ChannelRef } from '../../../channels/channelKey.ts';
import type { OriginHealth } from '../../../live/originHealth.ts';
import type { Millis } from '../../../time/units.ts';
import type { AuditEntry } from '../../audit/rules/auditEntry.ts';
import type { ReportName } from '../../reports/rules/catalogue.ts';
import type { RecordStore } from '../../systems/rules/ports.ts';
import type { NewDelivery } from '../webhooks/delivery.ts';
import type { AlertState } from './alertState.ts';
import type { AlertEvent } from './event.ts';
import type { Counts, Measurement, ServerFailure } from './judge.ts';
import type { AlertRule } from './rule.ts';
import type { Silence } from './silence.ts';

export type AlertRuleStore = RecordStore<AlertRule> & {
  /** The enabled rules of all tenants. */
  enabled(): Promise<readonly AlertRule[]>;
};

export type Acknowledgement = {
  /** The alert that it is about: another one of the same rule and channel is not acknowledged. */
  readonly alert: string;
  readonly by: string;
  readonly at: Millis;
};

export type SilenceStore = RecordStore<Silence> & {
  /** Those of all tenants that have not ended. */
  active(now: Millis): Promise<readonly Silence[]>;
  removeEnded(now: Millis): Promise<void>;
};

/** An alert that is pending or firing. `event` is the one with which it started to fire. */
export type StoredAlert = {
  readonly tenant: string;
  readonly ruleId: string;
  readonly channelId: string;
  readonly state: AlertState;
  readonly event?: AlertEvent;
  /** Ids of the receivers that got its events. They get its end, too, even if its rule no longer exists. */
  readonly receivers?: readonly string[];
  readonly acknowledged?: Acknowledgement;
};

/** What one transaction stores. */
export type AlertChange = Pick<StoredAlert, 'tenant' | 'ruleId' | 'channelId'> & {
  /** undefined removes the alert. */
  readonly next: Pick<StoredAlert, 'state' | 'event' | 'receivers'> | undefined;
  readonly event?: AlertEvent;
  readonly deliveries: readonly NewDelivery[];
};

export type AlertStore = {
  /** Takes or extends the right to evaluate rules. @returns false if another process has it */
  lead(holder: string, now: Millis, until: Millis): Promise<boolean>;
  release(holder: string): Promise<void>;
  all(): Promise<readonly StoredAlert[]>;
  /** @param ruleId of the only rule; all if absent */
  ofTenant(tenant: string, ruleId?: string): Promise<readonly StoredAlert[]>;
  /** Stores nothing if the holder has lost its right. @returns whether it was stored */
  commit(holder: string, change: AlertChange): Promise<boolean>;
  /**
   * Stores who has acknowledged an alert, the entry of the audit log and what is sent, in one transaction.
   * @returns false if the alert has ended
   */
  acknowledge(
    alert: Pick<StoredAlert, 'tenant' | 'ruleId' | 'channelId'>,
    acknowledgement: Acknowledgement,
    entry: AuditEntry,
    deliveries: readonly NewDelivery[],
  ): Promise<boolean>;
};

export type NumberedEvent = AlertEvent & {
  /** Grows with each event, in the order in which they become visible. */
  readonly seq: number;
};

export type EventFilter = {
  readonly tenant: string;
  readonly from: Millis;
  readonly to: Millis;
  readonly ruleId?: string;
  readonly channelId?: string;
  readonly state?: AlertEvent['state'];
  /** Only events with a lower number. */
  readonly before?: number;
};

export type EventStore = {
  /** Newest first. */
  list(filter: EventFilter, most: number): Promise<NumberedEvent[]>;
  /** The events after a number, oldest first. */
  after(tenant: string, seq: number, most: number): Promise<NumberedEvent[]>;
  /** The number of the newest event; 0 without events. */
  newest(tenant: string): Promise<number>;
  /** Deletes the events before an instant, and the oldest of tenants that have more than `most`. */
  removeOld(before: Millis, most: number): Promise<void>;
};

/** What is known of the channels of a tenant. */
export type AlertSources = {
  /** The enabled channels of all tenants. */
  channels(): Promise<readonly Channel[]>;
  /** Sums of a report by channel. Channels without counts are absent. */
  counts(
    report: ReportName,
    channels: readonly Channel[],
    from: Millis,
    to: Millis,
  ): Promise<ReadonlyMap<string, Counts>>;
  /** How the ad server of a channel fails, if it is known to. */
  serverFailure(channel: Channel): Promise<ServerFailure | undefined>;
  isOnAir(channel: Channel): Promise<NonNullable<Measurement['air']>>;
  /** The health of the origins of a live channel. */
  origins(channel: ChannelRef): Promise<readonly OriginHealth[]>;
  /** When the oldest pending beacon of a channel was due. */
  oldestBeacon(channel: ChannelRef): Promise<Millis | undefined>;
  /** Creatives of a channel that have failed and are tried again. */
  failingCreatives(channel: ChannelRef): Promise<number>;
  /** Why a creative of a channel fails, or has failed. */
  creativeFailure(channel: ChannelRef): Promise<string | undefined>;
};
