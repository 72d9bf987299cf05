package dev.holdfast.spring;

import dev.holdfast.activities.Holdfast;
import dev.holdfast.activities.Reconciles;
import dev.holdfast.activities.evidence.EvidenceVerifier;
import io.temporal.activity.ActivityInterface;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * The beans that know an upstream, each for the activities that its {@link ForActivities} names. An
 * activity's own reconciler is found by the plugin, on the implementation.
 */
record UpstreamBeans(ListableBeanFactory beans) {

  void addTo(Holdfast.Builder builder) {
    for (String name : beans.getBeanNamesForType(Reconciles.class)) {
      for (Class<?> activities : activities(name)) {
        builder.addReconciler(activities, beans.getBean(name, Reconciles.class));
      }
    }
    for (String name : beans.getBeanNamesForType(EvidenceVerifier.class)) {
      for (Class<?> activities : activities(name)) {
        builder.addEvidenceVerifier(activities, beans.getBean(name, EvidenceVerifier.class));
      }
    }
  }

  private Class<?>[] activities(String name) {
    ForActivities marked = beans.findAnnotationOnBean(name, ForActivities.class);
    if (marked != null) {
      return marked.value();
    }
    if (isActivity(beans.getType(name))) {
      return new Class<?>[0];
    }
    throw new StartRefusedException(
        "the bean " + name + " knows an upstream, but does not say of which activities",
        "Put @ForActivities on its class or its bean method");
  }

  private static boolean isActivity(@Nullable Class<?> type) {
    return type != null
        && Arrays.stream(ClassUtils.getAllInterfacesForClass(type))
            .anyMatch(parent -> parent.isAnnotationPresent(ActivityInterface.class));
  }
}
