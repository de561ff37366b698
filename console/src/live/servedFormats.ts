// SPDX-License-Identifier: Apache-2.0
const names = { hls: 'HLS', dash: 'DASH', both: 'HLS and DASH' } as const;

export const servedFormats = (serves: keyof typeof names | undefined): string =>
  serves === undefined ? 'nothing' : names[serves];
