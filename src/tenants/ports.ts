// SPDX-License-Identifier: Apache-2.0
// The stores of tenants, API keys and systems, implemented in src/adapters/sql/tenants. Records belong to a tenant's
// name.
import type { Millis } from '../time/units.ts';
import type { ApiKey } from './apiKey.ts';
import type { System } from './system.ts';
import type { Tenant } from './tenant.ts';

export type TenantStore = {
  /** Stores the tenant, its first system and its first key in one transaction; false if the name is taken. */
  create(tenant: Tenant, system: System, key?: { readonly key: ApiKey; readonly hash: string }): Promise<boolean>;
  find(name: string): Promise<Tenant | undefined>;
  list(): Promise<Tenant[]>;
  /** Removes the tenant with all of its records; false if there is none. */
  remove(name: string): Promise<boolean>;
};

export type ApiKeyStore = {
  insert(key: ApiKey, hash: string): Promise<void>;
  findByHash(hash: string): Promise<ApiKey | undefined>;
  find(tenant: string, id: string): Promise<ApiKey | undefined>;
  /** Newest first. */
  list(tenant: string): Promise<ApiKey[]>;
  remove(tenant: string, id: string): Promise<boolean>;
  /** Removes a key if the tenant keeps another one without expiry, also if two requests remove keys at once. */
  removeUnlessLast(tenant: string, id: string): Promise<boolean>;
  /** Stores a key and sets the expiry of another, in one transaction. */
  rotate(next: ApiKey, hash: string, previous: ApiKey): Promise<void>;
  /** Sets `lastUsedAt`. @param at ISO 8601 */
  touch(id: string, at: string): Promise<void>;
};

/** The requests of a tenant in an interval, counted across all nodes. */
export type RequestWindow = { readonly startedAt: Millis; readonly requests: number };
export type RequestWindowStore = {
  /** Counts a request. If the window is over, a new one begins now. @param length of a window, in milliseconds */
  count(tenant: string, now: Millis, length: number): Promise<RequestWindow>;
};

export type SystemStore = {
  /** Stored as version 0; false if the tenant has a system with this id. */
  insert(system: System): Promise<boolean>;
  find(tenant: string, id: string): Promise<(System & { readonly version: number }) | undefined>;
  /** Newest first. */
  list(tenant: string): Promise<(System & { readonly version: number })[]>;
  /** `version` is the one that was read; it is incremented. False if the record was changed or removed since. */
  replace(system: System & { readonly version: number }): Promise<boolean>;
  remove(tenant: string, id: string, version?: number): Promise<boolean>;
};
