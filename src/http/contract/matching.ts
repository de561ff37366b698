// SPDX-License-Identifier: Apache-2.0
// Compares the types of schemas with the types of the modules behind the routes, which are readonly.
/** Schemas have no readonly modifiers, so they are removed before comparing. */
export type Mutable<T> = T extends readonly (infer Item)[]
  ? Mutable<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Mutable<T[Key]> }
    : T;

export type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

/**
 * The type of a contract's schema. It is `never`, and every use of it a compile error, if it differs from the type that the
 * module behind the route returns.
 */
export type Matching<Schema, Returned> =
  (<T>() => T extends Schema ? 1 : 2) extends <T>() => T extends Returned ? 1 : 2 ? Schema : never;
