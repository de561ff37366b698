// SPDX-License-Identifier: Apache-2.0
// Entity tags of records, and conditional requests. Source: RFC 9110 §8.8.3, §13.1.
import { AppError } from '../../../errors.ts';
import { tagOf } from '../../contract/entityTagValues.ts';

type Tagged = { readonly createdAt: string; readonly version: number };

export const entityTag = ({ createdAt, version }: Tagged): string => tagOf(createdAt, version);

const tagsIn = (header: string): string[] => header.split(',').map((tag) => tag.trim());

/** @throws {AppError} PRECONDITION_FAILED if If-Match does not list the record's version */
export function checkIfMatch(header: string | undefined, record: Tagged): void {
  if (header === undefined || header.trim() === '*' || tagsIn(header).includes(entityTag(record))) return;
  const message = `If-Match must be ${entityTag(record)}, the current version; got ${header.slice(0, 200)}. Read the record again, then retry.`;
  throw new AppError('PRECONDITION_FAILED', message);
}

/** Whether If-None-Match lists the tag; compared weakly (RFC 9110 §13.1.2). */
export const isKnown = (header: string | undefined, tag: string): boolean =>
  header !== undefined && (header.trim() === '*' || tagsIn(header).some((known) => known.replace(/^W\//, '') === tag));
