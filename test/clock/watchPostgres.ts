// SPDX-License-Identifier: Apache-2.0
// Counts what PostgreSQL has not responded to yet: connections and queries of this process.
import { Client } from 'pg';

type Method = (this: Client, ...parts: unknown[]) => unknown;
type Patched = Record<'query' | 'connect', Method>;

export function watchPostgres(): { readonly isBusy: () => boolean; readonly close: () => void } {
  const methods = Client.prototype as unknown as Patched;
  const { query, connect } = methods;
  let pending = 0;
  /** Calls end by a callback, the last argument, or by a promise. */
  const counted = (method: Method): Method =>
    function call(this: Client, ...parts) {
      pending += 1;
      let isOver = false;
      const end = (): void => {
        if (!isOver) pending -= 1;
        isOver = true;
      };
      const last = parts.at(-1);
      const isCalledBack = typeof last === 'function';
      const own = isCalledBack
        ? [
            ...parts.slice(0, -1),
            (...result: unknown[]) => {
              end();
              (last as (...result: unknown[]) => void)(...result);
            },
          ]
        : parts;
      const result = method.apply(this, own);
      if (result instanceof Promise) result.then(end, end);
      else if (!isCalledBack) end();
      return result;
    };
  methods.query = counted(query);
  methods.connect = counted(connect);
  return {
    isBusy: () => pending > 0,
    close() {
      methods.query = query;
      methods.connect = connect;
    },
  };
}
