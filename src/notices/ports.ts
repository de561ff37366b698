// SPDX-License-Identifier: Apache-2.0
// Notices: short messages that a record has changed, so that other processes read it again at once. They contain no values, and
// may be lost: what they announce is in the store. Implemented in src/adapters/sql/notices.
import type { Millis } from '../time/units.ts';

/**
 * What has changed. `channels`: a channel, key `tenant/id`. `schedules`: what a channel has on air. `statuses`: what the planner
 * reports of a channel, key `tenant/id`. `creatives`: a creative is made, has failed, is retried or deleted, key: its id. `systems`:
 * a system. `publications`: what is published to containers, and whether these can be reached.
 * `distributors`: a distributor of a channel, key `tenant/id` of the channel. `ad-sources`: an ad source, key `tenant/id`.
 * `events`: a new event of an alert, key: its tenant. `problems`: an ad server fails on a channel or works again, key: `tenant/id`.
 */
const topics = [
  'channels',
  'schedules',
  'statuses',
  'creatives',
  'systems',
  'publications',
  'distributors',
  'ad-sources',
  'events',
  'problems',
] as const;
export type Topic = (typeof topics)[number];

/** A newer version of Midroll may publish others. */
export const isTopic = (text: string): text is Topic => (topics as readonly string[]).includes(text);

export type Notice = {
  readonly topic: Topic;
  readonly key: string;
  /** When it was changed, on the clock of this process. */
  readonly at: Millis;
};

export type NoticeListener = {
  notice(notice: Notice): void;
  /** Notices may have been lost: anything may have changed. */
  lost(): void;
  /** A notice that this process has sent to itself has arrived after `ms`. */
  echo?(ms: number): void;
};

/** Writing a record publishes its notice in the same transaction, so there is nothing to call for it. */
export type NoticeSource = {
  start(listener: NoticeListener): void;
  /**
   * Resolves when the listener has all notices of what was stored before the call.
   * @returns why that is not certain; undefined if it is
   */
  catchUp(): Promise<string | undefined>;
  stop(): Promise<void>;
};
