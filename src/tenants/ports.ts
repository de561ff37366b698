// What the administrative rooms need of the store of tenants, keys and systems. All of a tenant's is found by its name.
import type { Millis } from '../time/units.ts';
import type { ApiKey } from './apiKey.ts';
import type { System } from './system.ts';
import type { Tenant } from './tenant.ts';

export type TenantStore = {
  /** Stores tenant, first system and first key together or not at all; false when the name is taken. */
  create(tenant: Tenant, system: System, key?: { readonly key: ApiKey; readonly hash: string }): Promise<boolean>;
  find(name: string): Promise<Tenant | undefined>;
  list(): Promise<Tenant[]>;
  /** With everything that an operator wrote for it; false when there is none. */
  remove(name: string): Promise<boolean>;
};

export type ApiKeyStore = {
  insert(key: ApiKey, hash: string): Promise<void>;
  findByHash(hash: string): Promise<ApiKey | undefined>;
  find(tenant: string, id: string): Promise<ApiKey | undefined>;
  /** Newest first. */
  list(tenant: string): Promise<ApiKey[]>;
  remove(tenant: string, id: string): Promise<boolean>;
  /** Removes a key, but never the last of a tenant that goes on working, whoever else removes one at the same time. */
  removeUnlessLast(tenant: string, id: string): Promise<boolean>;
  /** Stores a key and ends another, both or neither. */
  rotate(next: ApiKey, hash: string, previous: ApiKey): Promise<void>;
  /** @param at ISO 8601 */
  touch(id: string, at: string): Promise<void>;
};

/** Requests of a tenant in a stretch of time, counted for all nodes together. */
export type RequestWindow = { readonly startedAt: Millis; readonly requests: number };
export type RequestWindowStore = {
  /** Counts a request; a window that is over is replaced by one that begins now. @param length milliseconds */
  count(tenant: string, now: Millis, length: number): Promise<RequestWindow>;
};

export type SystemStore = {
  /** Stored as version 0; false when the tenant has one with this id. */
  insert(system: System): Promise<boolean>;
  find(tenant: string, id: string): Promise<(System & { readonly version: number }) | undefined>;
  /** Newest first. */
  list(tenant: string): Promise<(System & { readonly version: number })[]>;
  /** `version` is the one that was read and is counted up; false when the record changed or went meanwhile. */
  replace(system: System & { readonly version: number }): Promise<boolean>;
  remove(tenant: string, id: string, version?: number): Promise<boolean>;
};
