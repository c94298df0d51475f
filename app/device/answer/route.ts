import { answerDeviceForm } from "@/lib/http/device-form";

export const POST = answerDeviceForm;
