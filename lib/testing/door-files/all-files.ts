import { CONTAINER_FILES } from "./containers";
import { DATE_FILES } from "./dates";
import { DELIMITER_FILES } from "./delimiters";
import type { DoorFile } from "./door-file";
import { ENCODING_FILES } from "./encodings";
import { JSON_DOOR_FILES } from "./json-files";
import { LAYOUT_FILES } from "./layouts";
import { NUMBER_FILES } from "./numbers";
import { PARQUET_FILES } from "./parquet-files";
import { WORKBOOK_FILES } from "./workbooks";

/** THE files at the door, whose values were worked out without our readers, by theme. */
export const DOOR_FILES: Readonly<Record<string, readonly DoorFile[]>> = {
  delimiters: DELIMITER_FILES,
  layouts: LAYOUT_FILES,
  encodings: ENCODING_FILES,
  numbers: NUMBER_FILES,
  dates: DATE_FILES,
  json: JSON_DOOR_FILES,
  containers: CONTAINER_FILES,
  workbooks: WORKBOOK_FILES,
  parquet: PARQUET_FILES,
};
