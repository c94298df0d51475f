import { aggregate } from "./aggregate";
import { cast } from "./cast";
import { dedupe } from "./dedupe";
import { derive } from "./derive";
import { drop } from "./drop";
import { extract } from "./extract";
import { fill } from "./fill";
import { filter } from "./filter";
import { flatten } from "./flatten";
import { join } from "./join";
import { limit } from "./limit";
import { map } from "./map";
import { nullIf } from "./null-if";
import { number } from "./number";
import { parse } from "./parse";
import { pivot } from "./pivot";
import { rename } from "./rename";
import { replace } from "./replace";
import { select } from "./select";
import { sort } from "./sort";
import { split } from "./split";
import type { AnyStepKind } from "./step";
import { trim } from "./trim";
import { union } from "./union";
import { unnest } from "./unnest";
import { unpivot } from "./unpivot";

/** THE steps, in the order of the docs. A new step needs a file in this folder, a line here and golden cases. */
export const STEP_KINDS: Readonly<Record<string, AnyStepKind>> = {
  select,
  drop,
  rename,
  cast,
  parse,
  trim,
  null_if: nullIf,
  replace,
  map,
  fill,
  filter,
  derive,
  extract,
  split,
  flatten,
  unnest,
  unpivot,
  pivot,
  join,
  union,
  dedupe,
  aggregate,
  sort,
  limit,
  number,
};
