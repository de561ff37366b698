// SPDX-License-Identifier: Apache-2.0
// The port for calls of hooks. Implemented in adapters/http, behind the egress guard.

export type HookCall = {
  readonly url: string;
  /** Signs the call; absent when calls are not signed. */
  readonly secret?: string;
  /** JSON. */
  readonly body: string;
  readonly timeoutMs: number;
};

export type HookReply =
  | { readonly ok: true; readonly status: number; readonly ms: number; readonly bytes: Uint8Array }
  | {
      readonly ok: false;
      readonly status?: number;
      readonly ms: number;
      /** A clause about the hook, without secrets, e.g. `returned status 503`. */
      readonly reason: string;
    };

/** Posts once, follows no redirect, resolves within the timeout, and never rejects. */
export type SendHook = (call: HookCall) => Promise<HookReply>;
