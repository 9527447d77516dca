// `lab counters`: the hardware counters that a driver offers (VK_KHR_performance_query), or that it offers none.
#include <stdio.h>
#include <string.h>

#include "lab/harness.h"

static const char *unit_of(VkPerformanceCounterUnitKHR unit) {
  static const char *const names[] = {"", "%", "ns", "bytes", "bytes/s", "K", "W", "V", "A", "Hz", "cycles"};
  return (unsigned)unit < sizeof names / sizeof *names ? names[unit] : "";
}

static stijl_result list(sj_lab *lab, PFN_vkEnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR enumerate) {
  static const sj_lab_column columns[] = {{"name", "counter", SJ_LAB_NAME},
                                          {"category", "category", SJ_LAB_NAME},
                                          {"unit", "unit", SJ_LAB_NAME},
                                          {"description", "what it counts", SJ_LAB_NAME}};
  uint32_t count = 0;
  VkResult result = enumerate(lab->vk.physical, lab->vk.family, &count, NULL, NULL);
  if (result != VK_SUCCESS) return sj_lab_fail(lab, result, "listing counters");
  VkPerformanceCounterKHR *counters = sj_alloc_array(lab->context, count + 1, sizeof *counters);
  VkPerformanceCounterDescriptionKHR *about = sj_alloc_array(lab->context, count + 1, sizeof *about);
  sj_lab_cell *cells = sj_alloc_array(lab->context, count + 1, 4 * sizeof *cells);
  stijl_result made = counters && about && cells ? STIJL_OK : sj_fail_memory(lab->message);
  for (uint32_t i = 0; i < count && made == STIJL_OK; i++) {
    counters[i] = (VkPerformanceCounterKHR){.sType = VK_STRUCTURE_TYPE_PERFORMANCE_COUNTER_KHR};
    about[i] = (VkPerformanceCounterDescriptionKHR){.sType = VK_STRUCTURE_TYPE_PERFORMANCE_COUNTER_DESCRIPTION_KHR};
  }
  if (made == STIJL_OK) {
    result = enumerate(lab->vk.physical, lab->vk.family, &count, counters, about);
    if (result != VK_SUCCESS && result != VK_INCOMPLETE) made = sj_lab_fail(lab, result, "listing counters");
  }
  if (made == STIJL_OK) {
    for (uint32_t i = 0; i < count; i++) {
      cells[i * 4] = SJ_LAB_TEXT(about[i].name);
      cells[i * 4 + 1] = SJ_LAB_TEXT(about[i].category);
      cells[i * 4 + 2] = SJ_LAB_TEXT(unit_of(counters[i].unit));
      cells[i * 4 + 3] = SJ_LAB_TEXT(about[i].description);
    }
    sj_lab_say(lab->page, "%s offers %u counters. They are listed here; the lab does not sample them.",
               lab->vk.properties.deviceName, count);
    sj_lab_table(lab->page, "counters", "Counters of the queue", columns, 4, cells, count);
  }
  sj_free(lab->context, cells);
  sj_free(lab->context, about);
  sj_free(lab->context, counters);
  return made;
}

stijl_result sj_lab_run_counters(sj_lab *lab) {
  PFN_vkEnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR enumerate =
      (PFN_vkEnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR)lab->vk.instance.GetInstanceProcAddr(
          lab->vk.instance.handle, "vkEnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR");
  sj_lab_write_device(lab);
  if (lab->has_counters && enumerate) return list(lab, enumerate);
  sj_lab_say(lab->page, "%s offers no counters (VK_KHR_performance_query is absent).", lab->vk.properties.deviceName);
  return STIJL_OK;
}
