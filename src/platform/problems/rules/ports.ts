// SPDX-License-Identifier: Apache-2.0
// What problems need from outside.
import type { AdServerFailure, AdServerSign } from '../../../playback/request/observeAdRequests.ts';
import type { Millis } from '../../../time/units.ts';

/** An ad server that fails for a channel, as all nodes know it. */
export type FailingServer = {
  readonly tenant: string;
  readonly channel: string;
  readonly asked: AdServerSign['asked'];
  readonly adServer: string;
  readonly since: Millis;
  readonly lastAt: Millis;
  readonly failure: AdServerFailure;
};

/** A channel has one ad source, and any number of servers that wrappers name. */
export type ServerKey = Pick<FailingServer, 'tenant' | 'channel' | 'asked' | 'adServer'>;

export type FailingServers = {
  /** Stores that a server fails, or that it still does. @returns whether no node had stored it before */
  put(one: FailingServer): Promise<boolean>;
  /** It has worked. @param before leaves it if it has failed since @returns whether it was stored as failing */
  remove(key: ServerKey, before: Millis): Promise<boolean>;
  /** Those that have failed since. @param tenant all tenants if absent */
  list(since: Millis, tenant?: string): Promise<FailingServer[]>;
  /** Deletes those that have not failed since. */
  forget(before: Millis): Promise<void>;
};
