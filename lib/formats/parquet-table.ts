import { type FileMetaData, parquetMetadata, type RowGroup } from "hyparquet";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import { PARQUET_FORMAT } from "./page-formats";
import { type RowSource, writtenPieces } from "./row-source";

const MAGIC = Buffer.from("PAR1");

/**
 * All rows as one Parquet file. Each piece is written as a page's file of one row group; its row group is sent, and the
 * footers are joined at the end. So memory does not grow with the rows, and a file that was cut off has no footer.
 */
export async function* parquetTable(source: RowSource): AsyncGenerator<Buffer> {
  yield MAGIC;
  let offset = MAGIC.byteLength;
  let schema: FileMetaData["schema"] = [];
  const groups: RowGroup[] = [];
  for await (const { bytes } of writtenPieces(source, PARQUET_FORMAT)) {
    const metadata = parquetMetadata(bytes.slice().buffer);
    ({ schema } = metadata);
    let start = MAGIC.byteLength;
    for (const group of metadata.row_groups) {
      const end = start + Number(group.total_compressed_size);
      groups.push(movedGroup(group, BigInt(offset - start), groups[0]));
      yield Buffer.from(bytes.subarray(start, end));
      offset += end - start;
      start = end;
    }
  }
  yield footer(schema, groups, source);
}

/**
 * A row group at another place. Its page indexes, which name places too, are left out. What all row groups have in
 * common is shared with the first, since a file may have thousands of them.
 */
function movedGroup(group: RowGroup, by: bigint, first: RowGroup | undefined): RowGroup {
  const columns = group.columns.map(({ file_offset, meta_data: data }, at) => {
    if (!data) throw new Error("A column chunk without metadata");
    const { type, encodings, path_in_schema, codec } = data;
    const own = { type, encodings, path_in_schema, codec };
    const shared = first?.columns[at]?.meta_data;
    const isSame = shared !== undefined && String(shared.encodings) === String(encodings);
    return {
      file_offset: file_offset + by,
      meta_data: {
        ...(isSame ? { ...own, encodings: shared.encodings, path_in_schema: shared.path_in_schema } : own),
        num_values: data.num_values,
        total_uncompressed_size: data.total_uncompressed_size,
        total_compressed_size: data.total_compressed_size,
        data_page_offset: data.data_page_offset + by,
        ...(data.dictionary_page_offset !== undefined && {
          dictionary_page_offset: data.dictionary_page_offset + by,
        }),
      },
    };
  });
  const { total_byte_size, num_rows, total_compressed_size } = group;
  return { columns, total_byte_size, num_rows, ...(total_compressed_size !== undefined && { total_compressed_size }) };
}

function footer(schema: FileMetaData["schema"], groups: RowGroup[], { about }: RowSource): Buffer {
  const bytes = new ByteWriter();
  const kvMetadata = about.map(({ key, value }) => ({ key, value }));
  const writer = new ParquetWriter({ writer: bytes, schema, kvMetadata, createdBy: "Parquetry", statistics: false });
  writer.row_groups = groups;
  writer.num_rows = groups.reduce((sum, { num_rows }) => sum + num_rows, 0n);
  void writer.finish();
  return Buffer.from(bytes.getBytes().subarray(MAGIC.byteLength));
}
