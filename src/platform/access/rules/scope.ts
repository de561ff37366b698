// SPDX-License-Identifier: Apache-2.0
// What a key or a user may do: the scope, and the channels that it is restricted to. Which route requires what is declared
// by the routes.

/** Each one includes those before it. */
export const scopes = ['read', 'operate', 'manage'] as const;
export type Scope = (typeof scopes)[number];

export type Rights = {
  readonly scope: Scope;
  /** IDs of the only channels that may be accessed; undefined for the whole tenant. */
  readonly channels?: readonly string[];
};

/** What restricts a key to channels: their ids, and labels of which a channel has one. Without either, nothing does. */
export type ChannelLimits = { readonly channels?: readonly string[]; readonly labels?: readonly string[] };

/** The scope of keys that are made without one. */
export const DEFAULT_SCOPE: Scope = 'manage';
/** The most channels that a key can name. Labels can give it more. */
export const MAX_KEY_CHANNELS = 100;

export const isScope = (text: string): text is Scope => (scopes as readonly string[]).includes(text);

export const includesScope = (own: Scope, required: Scope): boolean => scopes.indexOf(own) >= scopes.indexOf(required);

/** @returns the one that allows most; undefined for none */
export const highestScope = (some: readonly Scope[]): Scope | undefined =>
  scopes.toReversed().find((scope) => some.includes(scope));

export const mayAccess = ({ channels }: Pick<Rights, 'channels'>, channelId: string): boolean =>
  channels === undefined || channels.includes(channelId);
