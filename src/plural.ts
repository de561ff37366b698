// SPDX-License-Identifier: Apache-2.0

/** Such as `1 alert` or `2 alerts`. */
export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
