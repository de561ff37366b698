// SPDX-License-Identifier: Apache-2.0
// The text of JSON responses of both ports. It ends with a line feed, so that a terminal prints its prompt on a line of its own.

export const JSON_TYPE = 'application/json; charset=utf-8';

export const writeJson = (value: unknown): string => `${JSON.stringify(value)}\n`;
