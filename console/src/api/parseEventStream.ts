// SPDX-License-Identifier: Apache-2.0
// Reads server-sent events from text that arrives in pieces. Source: WHATWG HTML, "Parsing an event stream". Line ends are
// line feeds, because Midroll sends no others.

export type ServerSentEvent = { readonly id: string; readonly data: string };

/** @returns a function that takes the next piece and returns the events that it completes */
export function createEventStreamParser(): (piece: string) => ServerSentEvent[] {
  let rest = '';
  return (piece) => {
    const blocks = (rest + piece).split('\n\n');
    rest = blocks.pop() ?? '';
    return blocks.flatMap((block) => {
      const valuesOf = (name: string) =>
        block
          .split('\n')
          .filter((line) => line.startsWith(`${name}:`))
          .map((line) => line.slice(name.length + 1).replace(/^ /, ''));
      const data = valuesOf('data');
      return data.length === 0 ? [] : [{ id: valuesOf('id').at(-1) ?? '', data: data.join('\n') }];
    });
  };
}

/** Milliseconds until the stream is opened again after so many failures in a row. */
export const reconnectAfter = (failures: number): number => Math.min(60_000, 1000 * 2 ** Math.min(failures, 10));
