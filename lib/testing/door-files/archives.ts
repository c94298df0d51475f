import { crc32, deflateRawSync } from "node:zlib";

/** A member as it is written, with what is wrong with it. */
export interface Member {
  name: string;
  data: Buffer;
  isStored?: boolean;
  /** Replaces the checksum. */
  crc?: number;
  flags?: number;
  /** Replaces the stated size. */
  size?: number;
  method?: number;
}

/** A zip written byte by byte, so that parts of it can be wrong. */
export function zipOf(members: readonly Member[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const member of members) {
    const name = Buffer.from(member.name);
    const packed = member.isStored ? member.data : deflateRawSync(member.data);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(member.flags ?? 0x800, 2);
    shared.writeUInt16LE(member.method ?? (member.isStored ? 0 : 8), 4);
    shared.writeUInt32LE(0x5a210000, 6);
    shared.writeUInt32LE(member.crc ?? crc32(member.data), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(member.size ?? member.data.length, 18);
    shared.writeUInt16LE(name.length, 22);
    parts.push(Buffer.from("PK\x03\x04"), shared, name, packed);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.from("PK\x01\x02\x14\x00"), shared, rest, name);
    offset += 30 + name.length + packed.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(members.length, 4);
  end.writeUInt16LE(members.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, listed, Buffer.from("PK\x05\x06"), end]);
}

/** A tar of files, as ustar. */
export function tarOf(members: readonly { name: string; data: Buffer }[]): Buffer {
  const blocks = members.flatMap(({ name, data }) => {
    const header = Buffer.alloc(512);
    header.write(name, 0, "latin1");
    header.write("0000644\0", 100, "latin1");
    header.write("0000000\0", 108, "latin1");
    header.write("0000000\0", 116, "latin1");
    header.write(`${data.length.toString(8).padStart(11, "0")}\0`, 124, "latin1");
    header.write("00000000000\0", 136, "latin1");
    header.write("        ", 148, "latin1");
    header.write("0", 156, "latin1");
    header.write("ustar\0" + "00", 257, "latin1");
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
    return [header, data, Buffer.alloc((512 - (data.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}
